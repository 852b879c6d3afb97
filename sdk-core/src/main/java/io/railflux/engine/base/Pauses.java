package io.railflux.engine.base;

/**
 * Pauses between attempts: each doubles, shortened randomly by up to a half, so that attempts of several nodes
 * spread.
 */
public final class Pauses {

  private static final int MAX_DOUBLINGS = 30;

  private int failures;

  /**
   * Returns the next pause, which is jittered and grows with each failure.
   *
   * @param longestNanos upper bound of every pause
   */
  public long nextNanos(long firstNanos, long longestNanos, long random) {
    int doublings = Math.min(failures++, MAX_DOUBLINGS);
    boolean grown = longestNanos >> doublings < firstNanos;
    long pause = grown ? longestNanos : firstNanos << doublings;
    return pause / 2 + Math.floorMod(random, pause / 2 + 1);
  }

  /**
   * Records the loss of a connection. Pauses start over if the connection lasted. Connections that always fail
   * soon, as on a network that corrupts bytes, are made less and less often.
   *
   * @param lastedNanos lifetime of the connection
   * @param longestNanos longest pause; a shorter lifetime counts as a failure
   */
  public void lost(long lastedNanos, long longestNanos) {
    if (lastedNanos >= longestNanos) {
      failures = 0;
    }
  }
}
