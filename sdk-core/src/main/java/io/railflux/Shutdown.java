package io.railflux;

import io.railflux.engine.EngineThread;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.NodeClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Closing of a node: drain on request of the user or on SIGTERM, and the end. */
final class Shutdown {

  private static final long LOOK_MILLIS = 10;

  private final String nodeName;
  private final EngineThread thread;
  private final Runnable beforeDrain;
  private final boolean onExit;
  private final long boundNanos;
  private final long applicationNanos;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Thread hook;

  /** @param beforeDrain runs on the engine thread when the drain begins */
  Shutdown(EngineThread thread, NodeConfig config, Runnable beforeDrain) {
    this.nodeName = config.name();
    this.beforeDrain = beforeDrain;
    this.thread = thread;
    this.onExit = config.drainOnShutdown();
    this.applicationNanos = config.drainNanos();
    this.boundNanos = applicationNanos + TimeUnit.SECONDS.toNanos(1);
    this.hook = new Thread(this::drainOnExit, "railflux-drain-" + config.name());
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
      thread.awaitEnd(boundNanos);
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
    thread.engine().execute(this::drainPeers);
  }

  private boolean hasBegun() {
    return begun.getCount() == 0;
  }

  /** Whether the drain has begun, or the node ends without one. */
  boolean isClosed() {
    return thread.isStopping() || hasBegun();
  }

  NodeClosedException closedError() {
    return new NodeClosedException("node '" + nodeName + "' is closed");
  }

  private void drainPeers() {
    beforeDrain.run();
    thread.engine().leave("Node '" + nodeName + "' is closed");
    List<VirtualChannel> channels = new ArrayList<>(thread.engine().channels());
    if (channels.isEmpty()) {
      thread.stop();
      return;
    }
    int[] left = {channels.size()};
    for (VirtualChannel channel : channels) {
      channel.close(failure -> {
        if (--left[0] == 0) {
          thread.stop();
        }
      });
    }
  }
}
