package io.railflux.engine.path;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineContext;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.metrics.PeerReadings;
import java.util.List;

/**
 * View of a peer's session for its paths, large messages and streams. Engine thread only, except {@link
 * #description}.
 */
public interface SessionContext {

  /** The engine of the session. */
  EngineContext engine();

  /** Describes the peer by its node's name and address, for messages to people. Any thread. */
  String description();

  /** The name of the peer's node, from its HELLO. */
  String peerName();

  ChannelCounters counters();

  PeerReadings readings();

  /** The subchannels that carry frames; the list changes as they join and are lost. */
  List<Subchannel> live();

  PathRepository paths();

  /** Whether frames of a lost subchannel wait to be sent again. New messages must not overtake them. */
  boolean isReplaying();

  boolean isClosing();

  boolean isClosed();

  /** Returns the error for an operation on an ending or ended session; {@code what} names the operation. */
  PeerClosedException closedError(String what);

  /** Ends the session after a violation by the peer; {@code what} names the violation. */
  void violated(String what);

  /** Takes a subchannel out of service; {@code reason} is logged and reported. */
  void failSubchannel(Subchannel subchannel, String reason);
}
