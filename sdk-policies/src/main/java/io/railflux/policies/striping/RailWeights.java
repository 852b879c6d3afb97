package io.railflux.policies.striping;

import io.railflux.policy.Paths;
import java.util.Arrays;

/** Fixed weights of rails. */
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
          "at least one weight must be above 0, the weights were " + Arrays.toString(weights));
    }
    this.weights = weights.clone();
  }

  /** Returns the weight of a path; equal weights if all live rails have weight 0. */
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
