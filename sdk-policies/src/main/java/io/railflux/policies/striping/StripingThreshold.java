package io.railflux.policies.striping;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;

/** MR2: shorter messages are never cut (V 6.2.3). */
final class StripingThreshold implements StripingPolicy {

  private final int minBytes;
  private final StripingPolicy policy;

  StripingThreshold(int minBytes, StripingPolicy policy) {
    this.minBytes = minBytes;
    this.policy = policy;
  }

  /** Replaces the threshold of a policy, if it has one. */
  static StripingThreshold of(int minBytes, StripingPolicy policy) {
    StripingPolicy bare = policy instanceof StripingThreshold other ? other.policy : policy;
    return new StripingThreshold(minBytes, bare);
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return policy.next(live, lengthBytes, marker);
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    if (lengthBytes < minBytes) {
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
