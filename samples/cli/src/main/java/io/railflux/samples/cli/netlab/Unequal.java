package io.railflux.samples.cli.netlab;

import io.railflux.policies.striping.Striping;
import io.railflux.policy.StripingPolicy;
import io.railflux.samples.cli.measure.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** MR12: a rail with a tenth of the rate of the other. Compares both together with the sum of each alone. */
final class Unequal {

  private static final int SLOW_MEGABITS = 30;

  private final Lab lab;
  private final List<Double> even = new ArrayList<>();

  Unequal(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    lab.cable(1).rate(SLOW_MEGABITS);
    List<Double> ratios = lab.repeat(this::ratio);
    even.remove(0);
    lab.say("even striping: %.4g".formatted(Runs.median(even)));
    return lab.outcome("x", ratios);
  }

  private double ratio() {
    double sum = rate(null, 0) + rate(null, 1);
    even.add(rate(Striping.even(), 0, 1) / sum);
    return rate(null, 0, 1) / sum;
  }

  private double rate(Supplier<StripingPolicy> striping, int... rails) {
    try (Line line = lab.open(striping, rails)) {
      return line.bytesPerSecond(Scaling.SIZE_BYTES, lab.measured());
    }
  }
}
