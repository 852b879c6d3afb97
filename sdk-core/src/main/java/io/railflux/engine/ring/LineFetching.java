package io.railflux.engine.ring;

/**
 * Decides whether a writer of short messages prefetches the next lines of a mapped ring. Where the hardware
 * prefetches, an explicit prefetch delays the stores behind it; elsewhere it saves a wait per line. Trials compare
 * two consecutive cycles, one with each choice. A choice that is faster in clearly more than two of three trials
 * takes effect. Cycles with many messages that prefetch nothing are compared as well, without effect. Engine thread
 * only.
 */
public final class LineFetching {

  /** A full turn of 64-byte messages, for which lines are fetched. */
  public static final int MIN_MESSAGES = 768;

  /**
   * Cycles between two trials; each trial runs one cycle with the slower choice. The period including the trial is
   * odd, because loads alternate.
   */
  public static final int UNTIL_TRIAL = 33;

  /** Points that change the choice: a trial for the other choice adds one, a trial against it subtracts two. */
  static final int SURE = 16;

  private static final int LOSS = 2;

  private boolean pays = true;
  private int points;

  // Cycles until a trial; 0 during its first half, -1 during its second.
  private int until = UNTIL_TRIAL;
  // Trials alternate the choice that runs first.
  private boolean otherFirst;
  private long firstNanos;
  private long firstMessages;

  private long begunNanos;
  private long sentBefore;

  /** Whether to prefetch in this cycle. */
  public boolean fetches() {
    boolean other = until == 0 ? otherFirst : until < 0 && !otherFirst;
    return pays != other;
  }

  /**
   * Begins a cycle and ends the previous one.
   *
   * @param sent messages sent since the engine began
   */
  public void begin(long nowNanos, long sent) {
    long messages = sent - sentBefore;
    if (messages >= MIN_MESSAGES) {
      sentFully(nowNanos - begunNanos, messages);
    } else if (until <= 0) {
      until = UNTIL_TRIAL;
    }
    begunNanos = nowNanos;
    sentBefore = sent;
  }

  private void sentFully(long nanos, long messages) {
    if (until > 0) {
      until--;
    } else if (until == 0) {
      firstNanos = nanos;
      firstMessages = messages;
      until = -1;
    } else {
      until = UNTIL_TRIAL;
      // Compares times per message without a division.
      long first = firstNanos * messages;
      long second = nanos * firstMessages;
      judge(otherFirst ? first < second : second < first);
      otherFirst = !otherFirst;
    }
  }

  private void judge(boolean otherIsFaster) {
    points = otherIsFaster ? points + 1 : Math.max(0, points - LOSS);
    if (points == SURE) {
      pays = !pays;
      points = 0;
    }
  }
}
