package io.railflux.policies.striping;

import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;

/** MR2: pieces in proportion to fixed weights of rails (V 4.1.2). */
final class WeightedStriping implements StripingPolicy {

  private final RailWeights weights;
  private final WeightedRoundRobin small;

  WeightedStriping(RailWeights weights) {
    this.weights = weights;
    this.small = new WeightedRoundRobin(weights);
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return small.next(live, lengthBytes, marker);
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    for (int i = 0; i < live.count(); i++) {
      shares.set(i, weights.of(live, i));
    }
  }

  @Override
  public double weight(Paths live, int path) {
    return weights.of(live, path);
  }
}
