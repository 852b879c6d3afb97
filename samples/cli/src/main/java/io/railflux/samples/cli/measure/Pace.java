package io.railflux.samples.cli.measure;

import java.util.concurrent.locks.LockSupport;

/**
 * Duration of a measurement: a warm-up of {@link #WARM_UPS} rounds, then an odd number of rounds, so that the median is
 * one of them.
 * @param seconds measured time of all rounds
 */
public record Pace(int seconds) {

  /** More than one round: the first end of a stream triggers a recompilation. */
  public static final int WARM_UPS = 4;

  /**
   * Pause between two round trips that wake a sleeping side: ten times the maximum spin time of an engine, so that both
   * sides sleep.
   */
  public static final long ASLEEP_NANOS = 2_000_000;

  /** As {@link #ASLEEP_NANOS}, for many round trips in a short time. */
  public static final long NAP_NANOS = 500_000;

  /** Time until both sides are idle after work: engines spin for a moment, and compilers finish. */
  public static final long SETTLE_NANOS = 5_000_000_000L;

  private static final int LONG_RUN_SECONDS = 10;
  private static final int CLOCK_EVERY = 64;
  private static final int CLOCK_EVERY_BYTES = 4 << 20;

  /**
   * Returns the pause before each round trip of a warm-up in which both sides sleep. The first round has no pause, so
   * that the message path is compiled. Later rounds have short pauses, so that sleep and wake-up are compiled.
   */
  public static long warmUpPauseNanos(int round) {
    return round >= WARM_UPS / 2 ? NAP_NANOS : 0;
  }

  /** Sleeps for a duration and returns the current time. */
  public static long pause(long nanos) {
    LockSupport.parkNanos(nanos);
    return System.nanoTime();
  }

  public int rounds() {
    return seconds >= LONG_RUN_SECONDS ? 5 : 3;
  }

  public long roundNanos() {
    return seconds * 1_000_000_000L / rounds();
  }

  /**
   * Returns the duration of a warm-up round. With two busy threads on two processors, the second compiler takes up to
   * half a minute. The warm-up is never longer than the measurement.
   */
  public long warmUpNanos() {
    return Math.min(5_000_000_000L, seconds * 250_000_000L);
  }

  /**
   * The sender reads the clock when none of these bits of a message number is set, less often for small messages. A
   * division per message would distort the measurement.
   */
  public static int clockMask(int sizeBytes) {
    int messages = Math.max(1, Math.min(CLOCK_EVERY, CLOCK_EVERY_BYTES / sizeBytes));
    return Integer.highestOneBit(messages) - 1;
  }
}
