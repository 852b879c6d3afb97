package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.measure.Runs;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** FT1, FT3: pulls a cable under full load. Measures the outage of the stream, and the rate of the remaining rail. */
final class RailDeath {

  private static final Duration BEFORE = Duration.ofSeconds(2);
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private final Lab lab;
  private final List<Double> after = new ArrayList<>();

  RailDeath(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    List<Double> stalls = lab.repeat(this::longestStall);
    after.remove(0);
    lab.say("afterwards, over one rail: %.4g".formatted(Runs.median(after)));
    return lab.outcome("s", stalls);
  }

  private double longestStall() {
    double one;
    try (Line line = lab.open(0)) {
      one = line.bytesPerSecond(RateDrop.SIZE_BYTES, lab.measured());
    }
    try (Line line = lab.open(0, 1)) {
      Flow flow = line.flow(RateDrop.SIZE_BYTES);
      Pause.of(BEFORE);
      long pulled = System.nanoTime();
      lab.cable(1).pull();
      Pause.of(lab.measured().plus(SETTLING));
      long end = System.nanoTime();
      double stall = flow.pace(new Order.Span(pulled, end, 0)).longestGapNanos() / 1e9;
      Order.Span settled = new Order.Span(pulled + SETTLING.toNanos(), end, 0);
      after.add(flow.pace(settled).bytesPerSecond() / one);
      flow.end();
      return stall;
    } finally {
      lab.cable(1).plug();
    }
  }
}
