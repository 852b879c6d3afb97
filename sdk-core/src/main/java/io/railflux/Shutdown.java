package io.railflux;

import io.railflux.engine.session.VirtualChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Drain of a node, on request of the user or on SIGTERM. */
final class Shutdown {

  private static final long LOOK_MILLIS = 10;

  private final Node node;
  private final boolean onExit;
  private final long boundNanos;
  private final long applicationNanos;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Thread hook;

  Shutdown(Node node, Settings settings) {
    this.node = node;
    this.onExit = settings.options().drainOnShutdown();
    this.boundNanos = Node.drainBoundNanos(settings);
    this.applicationNanos = settings.bounds().drainTimeout().toNanos();
    this.hook = new Thread(this::drainOnExit, "railflux-drain-" + settings.name());
  }

  void register() {
    if (onExit) {
      Runtime.getRuntime().addShutdownHook(hook);
    }
  }

  void unregister() {
    if (onExit && !Thread.currentThread().equals(hook)) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException exiting) {
        // The hook runs, or will run: it then finds the node closed.
      }
    }
  }

  private void drainOnExit() {
    try {
      awaitApplication();
      begin();
      node.awaitEnd(boundNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the application closes the node or has ended. */
  private void awaitApplication() throws InterruptedException {
    long start = System.nanoTime();
    boolean busy = true;
    while (busy && !begun.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      busy = ExitingApplication.isBusy(System.nanoTime() - start < applicationNanos);
    }
  }

  void begin() {
    synchronized (begun) {
      if (hasBegun()) {
        return;
      }
      begun.countDown();
    }
    node.engine().execute(this::drainPeers);
  }

  boolean hasBegun() {
    return begun.getCount() == 0;
  }

  private void drainPeers() {
    node.engine().leave(node + " is closed");
    List<VirtualChannel> channels = new ArrayList<>(node.engine().channels());
    if (channels.isEmpty()) {
      node.abort();
      return;
    }
    int[] left = {channels.size()};
    for (VirtualChannel channel : channels) {
      channel.close(failure -> {
        if (--left[0] == 0) {
          node.abort();
        }
      });
    }
  }
}
