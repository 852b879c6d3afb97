package io.railflux.engine;

import io.railflux.metrics.NodeObserver;
import io.railflux.metrics.PeerReadings;
import io.railflux.metrics.StreamReadings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls into a registry of meters, its filters and its listeners, which are the user's. What they throw is
 * told in the log: peers and streams come and go all the same. Engine thread only.
 */
final class GuardedObserver implements NodeObserver {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedObserver.class);

  private final NodeObserver observer;

  GuardedObserver(NodeObserver observer) {
    this.observer = observer;
  }

  private static void run(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      LOG.error("an observer of the node threw from a method that must not", e);
    }
  }

  @Override
  public void nodeClosed() {
    run(observer::nodeClosed);
  }

  @Override
  public void peerOpened(PeerReadings peer) {
    run(() -> observer.peerOpened(peer));
  }

  @Override
  public void peerClosed(PeerReadings peer) {
    run(() -> observer.peerClosed(peer));
  }

  @Override
  public void streamOpened(PeerReadings peer, StreamReadings stream) {
    run(() -> observer.streamOpened(peer, stream));
  }

  @Override
  public void streamClosed(PeerReadings peer, StreamReadings stream) {
    run(() -> observer.streamClosed(peer, stream));
  }
}
