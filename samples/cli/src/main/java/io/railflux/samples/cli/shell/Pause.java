package io.railflux.samples.cli.shell;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A wait during a measurement. */
public final class Pause {

  private Pause() {}

  public static void of(Duration duration) {
    try {
      TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }
}
