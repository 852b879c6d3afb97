package io.railflux.policy;

/**
 * Decorator that regularly tries paths without weight. The formulas never give such a path weight again, although it
 * may have recovered. One path at a time gets a small piece of a large message, because the whole message waits for
 * that piece.
 */
public final class Probing implements StripingPolicy {

  /** Large enough for a measurement; takes 0.13 s at 2 Mbit/s. */
  private static final int PIECE_BYTES = 32 << 10;

  private final StripingPolicy policy;
  private final int every;
  private int untilProbe;
  private int probed;

  /**
   * Creates the decorator for one peer.
   *
   * @param policy the decorated policy
   * @param every number of large messages per probe, at least 1
   */
  public Probing(StripingPolicy policy, int every) {
    this.policy = policy;
    this.every = every;
    this.untilProbe = every;
  }

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return policy.next(live, lengthBytes, marker);
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    policy.cut(live, lengthBytes, marker, shares);
    untilProbe = Math.max(0, untilProbe - 1);
    // Without a path to try the probe stays due.
    if (untilProbe == 0
        && probe(live, Math.min(PIECE_BYTES, lengthBytes / 2.0) / lengthBytes, shares)) {
      untilProbe = every;
    }
  }

  /**
   * Gives a piece to the next path with a smaller share.
   *
   * @param part share of the piece in the message
   * @return whether a path was probed
   */
  private boolean probe(Paths live, double part, Shares shares) {
    double total = 0;
    for (int i = 0; i < shares.count(); i++) {
      total += shares.weight(i);
    }
    for (int i = 0; i < shares.count(); i++) {
      probed = probed + 1 < shares.count() ? probed + 1 : 0;
      // A piece in flight measures the path already.
      if (shares.weight(probed) < part * total && live.pendingLargeBytes(probed) == 0) {
        shares.set(probed, part / (1 - part) * (total - shares.weight(probed)));
        return true;
      }
    }
    return false;
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
