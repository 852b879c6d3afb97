package io.railflux.metrics;

/** Hears what comes and goes on a node, on its engine thread. */
public interface NodeObserver {

  /** Nobody: no registry, no cost. */
  NodeObserver NONE = new NodeObserver() {};

  default void nodeClosed() {}

  default void peerOpened(PeerReadings peer) {}

  default void peerClosed(PeerReadings peer) {}

  default void streamOpened(PeerReadings peer, StreamReadings stream) {}

  default void streamClosed(PeerReadings peer, StreamReadings stream) {}
}
