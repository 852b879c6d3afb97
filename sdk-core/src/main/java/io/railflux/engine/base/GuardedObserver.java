package io.railflux.engine.base;

import io.railflux.metrics.NodeObserver;
import io.railflux.metrics.PeerReadings;
import io.railflux.metrics.StreamReadings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards calls into the user's meter registry, its filters and listeners. Their exceptions are logged and do not
 * affect peers and streams. Engine thread only.
 */
public final class GuardedObserver implements NodeObserver {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedObserver.class);

  private final NodeObserver observer;

  public GuardedObserver(NodeObserver observer) {
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
