package io.railflux.samples.cli.shell;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Reports the partial result of a command when a signal such as that of Ctrl-C ends it. The JVM then exits with the
 * code of the signal.
 */
public final class Interruption implements AutoCloseable {

  private final AtomicBoolean settled = new AtomicBoolean();
  private final Thread hook;

  private Interruption(Runnable report) {
    this.hook = new Thread(
        () -> {
          if (settled.compareAndSet(false, true)) {
            report.run();
          }
        },
        "interruption");
  }

  /**
   * Handles signals until it is closed.
   * @param report runs at most once, on a separate thread, while the command still runs
   */
  public static Interruption reporting(Runnable report) {
    Interruption interruption = new Interruption(report);
    try {
      Runtime.getRuntime().addShutdownHook(interruption.hook);
    } catch (IllegalStateException e) {
      // The JVM is already shutting down, and there is no result to report.
      interruption.settled.set(true);
    }
    return interruption;
  }

  /**
   * Ends the handling before the command reports its own result. Does not return if a signal came first: the JVM exits.
   * Failures of other processes that received the same signal are then not reported.
   */
  @Override
  public void close() {
    if (!settled.compareAndSet(false, true)) {
      awaitExit();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down. The hook finds that there is no result to report.
    }
  }

  private static void awaitExit() {
    while (true) {
      LockSupport.park();
    }
  }
}
