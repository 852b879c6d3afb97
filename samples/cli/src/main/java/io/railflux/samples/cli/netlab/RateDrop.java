package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * MR6: reduces the rate of one rail to a tenth under load. Measures the time until a second carries nine tenths of the
 * remaining rate.
 */
final class RateDrop {

  static final int SIZE_BYTES = 128 << 10;

  private static final int PART = 10;
  private static final double ENOUGH = 0.9;

  /** Time for the weights to settle. */
  private static final Duration BEFORE = Duration.ofSeconds(3);

  private static final Duration MIN_AFTER = Duration.ofSeconds(4);

  private final Lab lab;

  RateDrop(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    List<Double> seconds = new ArrayList<>(lab.repeat(this::secondsToRecover));
    return lab.outcome("s", seconds);
  }

  private double secondsToRecover() {
    int full = lab.experiment().megabits();
    lab.cable(1).rate(full);
    try (Line line = lab.open(0, 1)) {
      Flow flow = line.flow(SIZE_BYTES);
      Pause.of(BEFORE);
      long dropped = System.nanoTime();
      long settled = dropped - BEFORE.toNanos() / 2;
      double before = flow.pace(new Order.Span(settled, dropped, 0)).bytesPerSecond();
      lab.cable(1).rate(full / PART);
      double after = before * (1 + 1.0 / PART) / 2;
      Pause.of(max(lab.measured(), MIN_AFTER));
      Order.Span span = new Order.Span(dropped, System.nanoTime(), ENOUGH * after);
      Order.Pace pace = flow.pace(span);
      lab.say("%.4g of %.4g MB/s".formatted(pace.bytesPerSecond() / 1e6, after / 1e6));
      lab.cable(1).rate(full);
      flow.end();
      long reached = pace.reachedNanos() < 0 ? span.toNanos() : pace.reachedNanos();
      return (reached - dropped) / 1e9;
    }
  }

  static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
