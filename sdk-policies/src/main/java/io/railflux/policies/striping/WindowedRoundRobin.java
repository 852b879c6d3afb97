package io.railflux.policies.striping;

import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.StripingPolicy;

/** MR2: a window of messages per path, in turn (V 4.1.2). */
final class WindowedRoundRobin implements StripingPolicy {

  private final int window;
  private int path = -1;
  private int left;

  WindowedRoundRobin(int window) {
    this.window = window;
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    if (left == 0 || path >= live.count()) {
      path = path + 1 < live.count() ? path + 1 : 0;
      left = window;
    }
    left--;
    return path;
  }
}
