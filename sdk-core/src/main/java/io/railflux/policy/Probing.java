package io.railflux.policy;

/**
 * Another policy, which now and then tries a path that it leaves out: by the formulas a path without weight
 * never gets any again, though it may have recovered. Of a large message such a path then gets a small piece, one path
 * after the other: all of the message would wait for that piece, and nobody knows how slow the path is.
 */
public final class Probing implements StripingPolicy {

  /** Enough to measure; at 2 Mbit/s it takes 0.13 s. */
  private static final int PIECE_BYTES = 32 << 10;

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

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    return policy.next(live, lengthBytes, marker);
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    policy.cut(live, lengthBytes, marker, shares);
    untilProbe = Math.max(0, untilProbe - 1);
    // One that finds no path to try stays due.
    if (untilProbe == 0
        && probe(live, Math.min(PIECE_BYTES, lengthBytes / 2.0) / lengthBytes, shares)) {
      untilProbe = every;
    }
  }

  /**
   * Gives a piece to the next path that has less.
   *
   * @param part of the message that is a piece
   */
  private boolean probe(Paths live, double part, Shares shares) {
    double total = 0;
    for (int i = 0; i < shares.count(); i++) {
      total += shares.weight(i);
    }
    for (int i = 0; i < shares.count(); i++) {
      probed = probed + 1 < shares.count() ? probed + 1 : 0;
      // A piece that is under way there tells of it soon enough.
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
