package io.railflux.engine;

/** Pauses between attempts: twice as long each time, and up to a half shorter by chance, so that not all come at once. */
final class Pauses {

  private static final int MAX_DOUBLINGS = 30;

  private int failures;

  /** @param longestNanos no pause is longer */
  long nextNanos(long firstNanos, long longestNanos, long random) {
    int doublings = Math.min(failures++, MAX_DOUBLINGS);
    boolean grown = longestNanos >> doublings < firstNanos;
    long pause = grown ? longestNanos : firstNanos << doublings;
    return pause / 2 + Math.floorMod(random, pause / 2 + 1);
  }

  /** They begin anew. */
  void reset() {
    failures = 0;
  }
}
