package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;

/** FT4: restores a cable under load. Measures the time until the cable carries nine tenths of its former load. */
final class RailReturn {

  private static final double ENOUGH = 0.9;
  private static final Duration BEFORE = Duration.ofSeconds(3);
  private static final Duration AWAY = Duration.ofSeconds(3);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration GIVE_UP = Duration.ofSeconds(20);

  /** Intervals over which the load of the cable is measured. */
  private static final int LOOKS = 10;

  private final Lab lab;

  RailReturn(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    return lab.outcome("s", lab.repeat(this::secondsToReturn));
  }

  private double secondsToReturn() {
    Cable cable = lab.cable(1);
    try (Line line = lab.open(0, 1)) {
      Flow flow = line.flow(RateDrop.SIZE_BYTES);
      Pause.of(BEFORE.dividedBy(2));
      long begun = System.nanoTime();
      long sent = cable.sentBytes();
      Pause.of(BEFORE.dividedBy(2));
      double before = (cable.sentBytes() - sent) * 1e9 / (System.nanoTime() - begun);
      cable.pull();
      Pause.of(AWAY);
      cable.plug();
      double seconds = secondsUntil(cable, ENOUGH * before);
      flow.end();
      return seconds;
    } finally {
      cable.plug();
    }
  }

  private static double secondsUntil(Cable cable, double bytesPerSecond) {
    long begun = System.nanoTime();
    long[] nanos = new long[LOOKS];
    long[] sent = new long[LOOKS];
    for (int look = 0; System.nanoTime() - begun < GIVE_UP.toNanos(); look++) {
      int place = look % LOOKS;
      long now = System.nanoTime();
      long total = cable.sentBytes();
      if (look >= LOOKS && (total - sent[place]) * 1e9 / (now - nanos[place]) >= bytesPerSecond) {
        return (nanos[place] - begun) / 1e9;
      }
      nanos[place] = now;
      sent[place] = total;
      Pause.of(LOOK);
    }
    return GIVE_UP.toSeconds();
  }
}
