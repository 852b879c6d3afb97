package io.railflux.policies.striping;

import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.StripingPolicy;

/** MR2: messages in turn, in proportion to the weights of rails; each message counts the same (V 4.1.2). */
final class WeightedRoundRobin implements StripingPolicy {

  private final RailWeights weights;
  private final WeightedTurns turns = new WeightedTurns();

  WeightedRoundRobin(RailWeights weights) {
    this.weights = weights;
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    if (turns.count() != live.count()) {
      turns.reset(live.count());
    }
    for (int i = 0; i < live.count(); i++) {
      turns.add(i, weights.of(live, i));
    }
    return turns.take(1);
  }

  @Override
  public double weight(Paths live, int path) {
    return weights.of(live, path);
  }
}
