package io.railflux.engine;

/**
 * Whether messages arrive so fast that to look for each costs more than it gains: a reader that has caught
 * up takes the very cache line away that the writer is filling. A reader that rests for a moment instead
 * finds a batch. Engine thread only.
 */
final class ArrivalPace {

  /** Messages are counted over at least this long. */
  static final long WINDOW_NANOS = 4_000;

  /** So many in a window are fast; an exchange of one message at a time stays well below. */
  static final int FAST_MESSAGES = 32;

  private long windowStartNanos;
  private long messagesBefore;
  private boolean fast;

  ArrivalPace(long nowNanos) {
    this.windowStartNanos = nowNanos;
  }

  /** @param messages read since the engine began */
  boolean isFast(long nowNanos, long messages) {
    long elapsed = nowNanos - windowStartNanos;
    if (elapsed >= WINDOW_NANOS) {
      fast = (messages - messagesBefore) * WINDOW_NANOS >= FAST_MESSAGES * elapsed;
      windowStartNanos = nowNanos;
      messagesBefore = messages;
    }
    return fast;
  }
}
