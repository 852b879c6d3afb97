package io.railflux.policies.striping;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;

/** MR2: what is shorter is never cut (V 6.2.3). */
final class StripingThreshold implements StripingPolicy {

  private final int leastBytes;
  private final StripingPolicy policy;

  StripingThreshold(int leastBytes, StripingPolicy policy) {
    this.leastBytes = leastBytes;
    this.policy = policy;
  }

  /** In place of the threshold that a policy has, if any. */
  static StripingThreshold of(int leastBytes, StripingPolicy policy) {
    StripingPolicy bare = policy instanceof StripingThreshold other ? other.policy : policy;
    return new StripingThreshold(leastBytes, bare);
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return policy.next(live, lengthBytes, marker);
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    if (lengthBytes < leastBytes) {
      StripingPolicy.super.cut(live, lengthBytes, marker, shares);
    } else {
      policy.cut(live, lengthBytes, marker, shares);
    }
  }

  @Override
  public void moved(Paths live, Movement movement) {
    policy.moved(live, movement);
  }

  @Override
  public double weight(Paths live, int path) {
    return policy.weight(live, path);
  }
}
