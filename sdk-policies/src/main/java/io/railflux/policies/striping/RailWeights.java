package io.railflux.policies.striping;

import io.railflux.policy.Paths;
import java.util.Arrays;

/** Fixed weights, by the rail a path begins at. */
final class RailWeights {

  private final double[] weights;

  RailWeights(double... weights) {
    double sum = 0;
    for (double weight : weights) {
      if (!(weight >= 0 && weight <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "weights must be finite and not negative, were " + Arrays.toString(weights));
      }
      sum += weight;
    }
    if (!(sum > 0)) {
      throw new IllegalArgumentException(
          "one weight at least must be above 0, they were " + Arrays.toString(weights));
    }
    this.weights = weights.clone();
  }

  /** Equal ones where those rails that are left have none: something must carry what is sent. */
  double of(Paths live, int path) {
    double sum = 0;
    for (int i = 0; i < live.count(); i++) {
      sum += weight(live, i);
    }
    return sum > 0 ? weight(live, path) / sum : 1.0 / live.count();
  }

  private double weight(Paths live, int path) {
    return weights[Math.min(live.rail(path), weights.length - 1)];
  }
}
