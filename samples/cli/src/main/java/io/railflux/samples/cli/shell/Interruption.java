package io.railflux.samples.cli.shell;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Reports what a command has come to so far when a signal, such as that of Ctrl-C, ends it. The JVM exits with the code of
 * the signal then.
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
   * Watches for signals until it is closed.
   *
   * @param report runs once, on a thread of its own, while the command is still at work
   */
  public static Interruption reporting(Runnable report) {
    Interruption interruption = new Interruption(report);
    try {
      Runtime.getRuntime().addShutdownHook(interruption.hook);
    } catch (IllegalStateException e) {
      // The signal was faster: there is nothing to report yet.
      interruption.settled.set(true);
    }
    return interruption;
  }

  /**
   * The command ends by itself, and reports by itself. Where the signal was faster, this does not return: the JVM exits, and
   * what fails meanwhile because other processes got the signal as well is no failure to report.
   */
  @Override
  public void close() {
    if (!settled.compareAndSet(false, true)) {
      awaitExit();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // A signal came just now: the hook finds that there is nothing left to report.
    }
  }

  private static void awaitExit() {
    while (true) {
      LockSupport.park();
    }
  }
}
