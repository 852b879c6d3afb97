package io.railflux.lab;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Checks a policy whose weights follow measurements. The weights add up to 1, and delayed samples do not change them
 * (MR6: V 7.1.2).
 */
final class WeighedStriping implements StripingPolicy {

  private static final double ROUNDING = 1e-6;

  private final StripingPolicy policy;
  private final Consumer<String> violation;

  /**
   * @param violation receives each violation
   */
  WeighedStriping(StripingPolicy policy, Consumer<String> violation) {
    this.policy = policy;
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
    double[] before = weights(live);
    policy.moved(live, movement);
    double[] after = weights(live);
    double total = Arrays.stream(after).sum();
    if (!(Math.abs(total - 1) < ROUNDING)) {
      violation.accept("weights of " + live.count() + " paths are " + total + " together");
    }
    if (isAllLate(movement) && !Arrays.equals(before, after)) {
      violation.accept("weights follow delayed samples");
    }
  }

  private double[] weights(Paths live) {
    return IntStream.range(0, live.count())
        .mapToDouble(path -> policy.weight(live, path))
        .toArray();
  }

  private static boolean isAllLate(Movement movement) {
    return IntStream.range(0, movement.count()).allMatch(movement::isLate);
  }
}
