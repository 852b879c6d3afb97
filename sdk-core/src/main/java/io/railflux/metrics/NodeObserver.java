package io.railflux.metrics;

/** Observes the peers and streams of a node. All methods run on the engine thread; by default they do nothing. */
public interface NodeObserver {

  /** Observer without effect, used without a registry. */
  NodeObserver NONE = new NodeObserver() {};

  /** The node has ended. */
  default void nodeClosed() {}

  /**
   * A session began.
   *
   * @param peer values of the peer, until {@link #peerClosed}
   */
  default void peerOpened(PeerReadings peer) {}

  /**
   * A session ended.
   *
   * @param peer values of the peer
   */
  default void peerClosed(PeerReadings peer) {}

  /**
   * A stream opened.
   *
   * @param peer values of the peer
   * @param stream values of the stream, until {@link #streamClosed}
   */
  default void streamOpened(PeerReadings peer, StreamReadings stream) {}

  /**
   * A stream ended, or failed before it opened.
   *
   * @param peer values of the peer
   * @param stream values of the stream
   */
  default void streamClosed(PeerReadings peer, StreamReadings stream) {}
}
