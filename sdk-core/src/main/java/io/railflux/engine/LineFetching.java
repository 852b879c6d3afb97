package io.railflux.engine;

/**
 * Whether who fills a mapped ring with short messages fetches its next lines ahead. Processors differ: where they do that
 * by themselves it holds up the stores behind it, elsewhere it saves what each line would be waited for. So it is
 * measured: now and then two cycles in a row send one way and the other, and what was better several times more
 * often than worse is done from then on. Engine thread only.
 */
final class LineFetching {

  /** A whole turn of messages of 64 B, for which lines are fetched; longer ones say nothing, and are fewer. */
  static final int LEAST_MESSAGES = 768;

  /** Cycles between two trials: of each trial one cycle goes the worse way. */
  static final int UNTIL_TRIAL = 32;

  /** How many more trials have to speak for the other way than against it. */
  static final int SURE = 8;

  private boolean pays = true;
  private int votes;

  // Cycles until a trial; 0 while its first half runs, the way that is taken, -1 while the other
  // one does.
  private int until = UNTIL_TRIAL;
  private long firstNanos;
  private long firstMessages;

  private long begunNanos;
  private long sentBefore;

  /** Whether to fetch in this cycle. */
  boolean fetches() {
    return pays == until >= 0;
  }

  /**
   * A cycle begins, so that the one before is over.
   *
   * @param sent messages that left since the engine began
   */
  void begin(long nowNanos, long sent) {
    long messages = sent - sentBefore;
    // Others say nothing about either way; a trial goes on when there are many again.
    if (messages >= LEAST_MESSAGES) {
      sentFully(nowNanos - begunNanos, messages);
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
      vote(nanos * firstMessages, firstNanos * messages);
    }
  }

  private void vote(long otherNanos, long takenNanos) {
    if (otherNanos < takenNanos) {
      votes++;
    } else if (votes > 0) {
      votes--;
    }
    if (votes == SURE) {
      pays = !pays;
      votes = 0;
    }
  }
}
