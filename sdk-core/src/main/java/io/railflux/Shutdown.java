package io.railflux;

import io.railflux.engine.VirtualChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The drain of a whole node, asked for by its user or by SIGTERM. */
final class Shutdown {

  private final Node node;
  private final boolean onExit;
  private final long boundNanos;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final Thread hook;

  Shutdown(Node node, Settings settings) {
    this.node = node;
    this.onExit = settings.options().drainOnShutdown();
    this.boundNanos = Node.drainBoundNanos(settings);
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
        // The hook runs or is about to: it finds the node closed.
      }
    }
  }

  private void drainOnExit() {
    begin();
    try {
      node.awaitEnd(boundNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void begin() {
    if (begun.compareAndSet(false, true)) {
      node.engine().execute(this::drainPeers);
    }
  }

  boolean hasBegun() {
    return begun.get();
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
