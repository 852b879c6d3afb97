package io.railflux.samples.cli.netlab;

import io.railflux.policies.striping.Striping;
import io.railflux.policy.StripingPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * MR9: the default striping relative to the best fixed policy, for messages between the limits of turns and stripes.
 * The result is that of the worst size.
 */
final class Medium {

  private static final int[] SIZES = {16 << 10, 32 << 10, 64 << 10};

  private final Lab lab;

  Medium(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    return lab.outcome("x", lab.repeat(this::worst));
  }

  private double worst() {
    double worst = Double.MAX_VALUE;
    for (int sizeBytes : SIZES) {
      worst = Math.min(worst, ratio(sizeBytes));
    }
    return worst;
  }

  private double ratio(int sizeBytes) {
    Map<String, Supplier<StripingPolicy>> fixed = new LinkedHashMap<>();
    fixed.put("binding", Striping.binding());
    fixed.put("round robin", Striping.roundRobin());
    fixed.put("windows of 16", Striping.windowed(16));
    fixed.put("even", Striping.even());
    double best = 0;
    String which = "";
    for (Map.Entry<String, Supplier<StripingPolicy>> policy : fixed.entrySet()) {
      double rate = rate(policy.getValue(), sizeBytes);
      which = rate > best ? policy.getKey() : which;
      best = Math.max(best, rate);
    }
    double ratio = rate(null, sizeBytes) / best;
    lab.say("%d KiB: %.4g of %s".formatted(sizeBytes >> 10, ratio, which));
    return ratio;
  }

  private double rate(Supplier<StripingPolicy> striping, int sizeBytes) {
    try (Line line = lab.open(striping, lab.allRails())) {
      return line.bytesPerSecond(sizeBytes, lab.measured());
    }
  }
}
