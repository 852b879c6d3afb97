package io.railflux.samples.cli.shell;

import java.io.IOException;
import java.io.InputStream;

/**
 * Ends this process when the one that started it is gone, however that ended: the kernel then closes
 * the other end of standard input.
 */
public final class Lifeline {

  private static final int EXIT_CODE = 1;

  private Lifeline() {}

  public static void watch(Runnable beforeEnd) {
    Thread watcher = new Thread(() -> untilEnd(beforeEnd), "lifeline");
    watcher.setDaemon(true);
    watcher.start();
  }

  private static void untilEnd(Runnable beforeEnd) {
    try (InputStream in = System.in) {
      while (in.read() >= 0) {
        // Nothing is said on this line; what counts is that it ends.
      }
    } catch (IOException e) {
      // As good as an end.
    }
    try {
      beforeEnd.run();
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
