package io.railflux.samples.cli.measure;

import java.util.concurrent.locks.LockSupport;

/**
 * How long to measure: a warm-up in {@link #WARM_UPS} rounds, then an odd number of rounds, so that the median
 * is one of them.
 *
 * @param seconds measured, in all rounds together
 */
public record Pace(int seconds) {

  /** Not one: what happens for the first time at the end of a stream has the JIT compile anew. */
  public static final int WARM_UPS = 4;

  /**
   * Between two round trips that wake who sleeps: ten times as long as an engine spins at most, so that both sides
   * sleep, and stop spinning for what rarely comes.
   */
  public static final long ASLEEP_NANOS = 2_000_000;

  /** The same where many are wanted in a short time. */
  public static final long NAP_NANOS = 500_000;

  /** Until who has worked does nothing: engines spin for a moment, compilers end what they began. */
  public static final long SETTLE_NANOS = 5_000_000_000L;

  private static final int LONG_RUN_SECONDS = 10;
  private static final int CLOCK_EVERY = 64;
  private static final int CLOCK_EVERY_BYTES = 4 << 20;

  /**
   * Before each round trip of a warm-up for something in which both sides sleep. First none, as what handles messages
   * would not be compiled by the time it is measured; then short ones: that is what has falling asleep and waking up
   * compiled.
   */
  public static long warmUpPauseNanos(int round) {
    return round >= WARM_UPS / 2 ? NAP_NANOS : 0;
  }

  /** Sleeps that long; returns the time. */
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
   * Of each round that warms up. The second compiler takes up to half a minute beside two busy threads on two
   * processors; a shorter run is not worth as much warming as measuring.
   */
  public long warmUpNanos() {
    return Math.min(5_000_000_000L, seconds * 250_000_000L);
  }

  /**
   * Who sends looks at the clock when none of these bits of a message's number is set: as seldom as messages of that size
   * are short. A division for each would be measured, too.
   */
  public static int clockMask(int sizeBytes) {
    int messages = Math.max(1, Math.min(CLOCK_EVERY, CLOCK_EVERY_BYTES / sizeBytes));
    return Integer.highestOneBit(messages) - 1;
  }
}
