package io.railflux.lab;

import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;

/** A striping policy that chooses random paths and splits large messages into random shares. */
final class RandomStriping implements StripingPolicy {

  private final SeededRandom random;

  RandomStriping(SeededRandom random) {
    this.random = random;
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return random.below(live.count());
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    for (int i = 0; i < live.count(); i++) {
      shares.set(i, random.below(4));
    }
    shares.set(random.below(live.count()), 1);
  }
}
