package io.railflux.engine;

/**
 * Where a node sends to several peers in bulk, each cycle sends to some of them, four turns instead of one, and to the
 * others in the cycles after it. A few large writes cost less than many small ones, each peer gets as much, and a cycle
 * takes as long as before, so nothing else waits longer for the next. Engine thread only.
 */
final class BulkRotation {

  /** Turns in a row at most: 512 KiB, half a ring. More gained nothing (benchmarks.md). */
  static final int MOST_TURNS = 4;

  private int turns = 1;
  private int counted;
  private int places;

  /** A cycle begins. */
  void next() {
    turns = Math.min(MOST_TURNS, Math.max(1, counted));
    counted = 0;
  }

  /** Turns that a peer has in a row; it has them once in so many cycles. */
  int turns() {
    return turns;
  }

  /** After its part of this cycle, one peer more is sent to in bulk. */
  void count() {
    counted++;
  }

  /** Cycles that a peer counts as waited for when it begins: those that begin in the same do not go on in the same. */
  int place() {
    return places++ & (MOST_TURNS - 1);
  }
}
