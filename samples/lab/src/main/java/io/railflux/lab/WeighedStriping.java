package io.railflux.lab;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import java.util.function.Consumer;

/** The default, whose weights must always be 1 together (MR6: V 7.1.2). */
final class WeighedStriping implements StripingPolicy {

  private static final double ROUNDING = 1e-6;

  private final StripingPolicy policy = StripingPolicy.byDefault();
  private final Consumer<String> violation;

  /** @param violation gets what is wrong */
  WeighedStriping(Consumer<String> violation) {
    this.violation = violation;
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return policy.next(live, lengthBytes, marker);
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    policy.cut(live, lengthBytes, marker, shares);
  }

  @Override
  public void moved(Paths live, Movement movement) {
    policy.moved(live, movement);
    double total = 0;
    for (int i = 0; i < live.count(); i++) {
      total += policy.weight(live, i);
    }
    if (!(Math.abs(total - 1) < ROUNDING)) {
      violation.accept("weights of " + live.count() + " paths are " + total + " together");
    }
  }
}
