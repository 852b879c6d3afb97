package io.railflux.engine;

/** Hears the life of a virtual channel. Engine thread only. */
public interface ChannelListener {

  /** The first subchannel is live. */
  void onEstablished(VirtualChannel channel);

  /** It never came to be. {@code reason} names the peer, the cause and what to do. */
  void onFailed(String reason);
}
