package io.railflux.engine.session;

import io.railflux.engine.base.EngineContext;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.stream.ByteFairMerge;
import io.railflux.engine.stream.Responder;
import io.railflux.metrics.RailEvent;

/**
 * The engine as seen by a channel: the events that a channel reports, and the parts that channels share. Engine thread
 * only.
 */
public interface ChannelHost extends EngineContext, Responder.Routes {

  /** Restores the rails of one channel. Engine thread only. */
  interface RailKeeper {

    /** Returns whether this side establishes the channel's connections. */
    boolean isConnector();

    /** Handles the loss of a live subchannel, or of a connection that was given up. */
    void lost(Subchannel subchannel);

    /** Stops establishing connections because the channel ends. */
    void stop();

    /** Handles the end of the channel. Its endpoints are closed. */
    void ended();
  }

  /** Receives the life cycle events of a virtual channel. Engine thread only. */
  interface Listener {

    /** Reports that the first subchannel is live. */
    void onEstablished(VirtualChannel channel);

    /** Reports that the channel was never established. {@code reason} names the peer, the cause and the remedy. */
    void onFailed(String reason);
  }

  ByteFairMerge.Rotation rotation();

  /** Reports that a subchannel completed its handshake. */
  void joined(Subchannel subchannel);

  /** Closes the endpoint of a subchannel and frees its memory at the end of the cycle, when no ring is being read. */
  void release(Subchannel subchannel);

  void forget(VirtualChannel channel);

  void railChanged(VirtualChannel channel, RailEvent event);

  /** Reports a frame that the peer of the subchannel did not seal. */
  void forged(Subchannel subchannel);

  /** Reports a protocol violation of a peer at {@code host}. {@code what} names the peer and the violation. */
  void violated(String host, String what);
}
