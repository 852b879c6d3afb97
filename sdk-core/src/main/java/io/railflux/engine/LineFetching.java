package io.railflux.engine;

/**
 * Whether who fills a mapped ring with short messages fetches its next lines ahead. Processors differ: where they do that
 * by themselves it holds up the stores behind it, elsewhere it saves what each line would be waited for. So it is
 * measured: now and then two cycles in a row send one way and the other, and what is faster in clearly more than two of
 * three such trials is done from then on. Cycles that send many messages for which nothing is fetched are compared, too,
 * which leads nowhere. Engine thread only.
 */
final class LineFetching {

  /** A whole turn of messages of 64 B, for which lines are fetched. */
  static final int LEAST_MESSAGES = 768;

  /** Cycles between two trials: of each trial one cycle goes the worse way. With a trial odd: loads alternate. */
  static final int UNTIL_TRIAL = 33;

  /** Points that change the way: a trial for the other one gives one, a trial against it takes two. */
  static final int SURE = 16;

  private static final int LOSS = 2;

  private boolean pays = true;
  private int points;

  // Cycles until a trial; 0 while its first half runs, -1 while the second one does.
  private int until = UNTIL_TRIAL;
  // Trials begin with either way in turn.
  private boolean otherFirst;
  private long firstNanos;
  private long firstMessages;

  private long begunNanos;
  private long sentBefore;

  /** Whether to fetch in this cycle. */
  boolean fetches() {
    boolean other = until == 0 ? otherFirst : until < 0 && !otherFirst;
    return pays != other;
  }

  /**
   * A cycle begins, so that the one before is over.
   *
   * @param sent messages that left since the engine began
   */
  void begin(long nowNanos, long sent) {
    long messages = sent - sentBefore;
    if (messages >= LEAST_MESSAGES) {
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
      // By message, without dividing.
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
