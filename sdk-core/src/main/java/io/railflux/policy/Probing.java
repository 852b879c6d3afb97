package io.railflux.policy;

/**
 * Another policy, which now and then tries a path that it leaves out: by the formulas a path without weight
 * never gets any again, though it may have recovered. A message that is cut, or very large, then has a small
 * piece for each path, other messages go over one path after the other.
 */
public final class Probing implements StripingPolicy {

  /** What is longer never goes whole over a path of which nobody knows how slow it is. */
  private static final int MOST_WHOLE_BYTES = 1 << 20;

  /** Of an equal share: enough to measure, little to wait for. */
  private static final double FLOOR = 0.1;

  private final StripingPolicy policy;
  private final int every;
  private int untilProbe;
  private int probed;

  /** @param every how many messages there are to one that tries */
  public Probing(StripingPolicy policy, int every) {
    this.policy = policy;
    this.every = every;
    this.untilProbe = every;
  }

  private boolean isProbe() {
    if (--untilProbe > 0) {
      return false;
    }
    untilProbe = every;
    return true;
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return policy.next(live, lengthBytes, marker);
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    policy.cut(live, lengthBytes, marker, shares);
    if (!isProbe()) {
      return;
    }
    double total = 0;
    int used = 0;
    for (int i = 0; i < shares.count(); i++) {
      total += shares.weight(i);
      used += shares.weight(i) > 0 ? 1 : 0;
    }
    if (used == 1 && lengthBytes < MOST_WHOLE_BYTES) {
      probed = probed + 1 < shares.count() ? probed + 1 : 0;
      shares.whole(probed);
    } else {
      raise(shares, FLOOR * total / shares.count());
    }
  }

  private static void raise(Shares shares, double least) {
    for (int i = 0; i < shares.count(); i++) {
      shares.set(i, Math.max(shares.weight(i), least));
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
