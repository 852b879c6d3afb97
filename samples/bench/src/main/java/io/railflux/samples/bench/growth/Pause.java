package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.CommandFailure;
import java.util.concurrent.TimeUnit;

/** Lets the engines work for a while. */
final class Pause {

  private Pause() {}

  static void of(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }
}
