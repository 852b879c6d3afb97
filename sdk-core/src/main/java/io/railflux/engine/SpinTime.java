package io.railflux.engine;

/**
 * How long an engine's thread looks for work before it sleeps. Only messages and demand are worth it: where
 * one moved the next, or its answer, may follow within microseconds, while heartbeats and acknowledgements
 * are followed by nothing for long. And the time adapts: sleeps that end soon were not worth it, so the next
 * search is longer; long ones make it shorter. The engine's thread only.
 */
final class SpinTime {

  private static final long MIN_NANOS = 2_000;

  private final long maxNanos;
  private long nanos;
  private long moved;
  private long movedAtNanos;

  /** @param maxNanos 0 never spins */
  SpinTime(long maxNanos, long nowNanos) {
    this.maxNanos = maxNanos;
    this.nanos = maxNanos;
    this.movedAtNanos = nowNanos - maxNanos;
  }

  /**
   * A cycle is over.
   *
   * @param begunNanos when it began
   * @param movedSoFar messages, and pieces of large ones, since the engine began
   */
  void worked(long begunNanos, long movedSoFar) {
    if (movedSoFar != moved) {
      moved = movedSoFar;
      movedAtNanos = begunNanos;
    }
  }

  /** How long nothing moved. */
  long idleNanos(long nowNanos) {
    return nowNanos - movedAtNanos;
  }

  /** Whether to go on looking after so long. */
  boolean goesOn(long idleNanos) {
    return idleNanos < nanos;
  }

  void slept(long sleptNanos) {
    if (sleptNanos < 4 * maxNanos) {
      nanos = Math.min(maxNanos, nanos * 2);
    } else {
      nanos = Math.max(Math.min(MIN_NANOS, maxNanos), nanos / 2);
    }
  }
}
