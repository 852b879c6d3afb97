package io.railflux;

import io.railflux.engine.EngineThread;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.NodeClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    Guarded.run("close", beforeDrain);
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

  /**
   * Detects whether the application is still finishing its work while the JVM exits. All shutdown hooks run
   * concurrently: a container that answers its last requests needs the node until its own hook ends. The JVM does not
   * identify hooks, so this class examines threads that may be hooks.
   */
  static final class ExitingApplication {

    private static final long MAIN_THREAD = 1;

    private ExitingApplication() {}

    /**
     * Examines the threads of this JVM, which takes about a millisecond. Called by a shutdown hook.
     *
     * @param alsoDoubtful whether to count daemons, and threads whose names do not suggest a shutdown; these may be
     *     endless threads of the application
     */
    static boolean isBusy(boolean alsoDoubtful) {
      boolean allHooksRun = false;
      for (Map.Entry<Thread, StackTraceElement[]> entry :
          Thread.getAllStackTraces().entrySet()) {
        StackTraceElement[] stack = entry.getValue();
        if (has(stack, "java.lang.ApplicationShutdownHooks", "runHooks")) {
          // This thread starts all hooks and then joins them.
          allHooksRun = has(stack, "java.lang.Thread", "join");
        } else if (mayBeHook(entry.getKey(), stack, alsoDoubtful)) {
          return true;
        }
      }
      return !allHooksRun;
    }

    @SuppressWarnings("deprecation") // Its successor since JDK 19.
    private static boolean mayBeHook(
        Thread thread, StackTraceElement[] stack, boolean alsoDoubtful) {
      String name = thread.getName();
      if (thread.getId() == MAIN_THREAD
          || name.startsWith("railflux-")
          || name.equals("DestroyJavaVM")
          || !thread.isAlive()) {
        return false;
      }
      boolean likely = isNameOfHook(name) && !thread.isDaemon();
      boolean possible = isNameOfHook(name) || !thread.isDaemon();
      return !isWorker(stack) && (likely || (alsoDoubtful && possible));
    }

    /** A web hook is called by another program, not by this JVM. */
    private static boolean isNameOfHook(String name) {
      String lower = name.toLowerCase(Locale.ROOT).replace("webhook", "");
      return lower.contains("shutdown") || lower.contains("hook");
    }

    /** A hook is a separate thread, never a worker of a pool. */
    private static boolean isWorker(StackTraceElement[] stack) {
      return has(stack, "java.util.concurrent.ThreadPoolExecutor$Worker", "run")
          || has(stack, "java.util.concurrent.ForkJoinWorkerThread", "run")
          || has(stack, "io.netty.util.concurrent.FastThreadLocalRunnable", "run");
    }

    private static boolean has(StackTraceElement[] stack, String type, String method) {
      for (StackTraceElement frame : stack) {
        if (frame.getClassName().equals(type) && frame.getMethodName().equals(method)) {
          return true;
        }
      }
      return false;
    }
  }
}
