package io.railflux.engine;

/**
 * How long an engine's thread looks for work before it sleeps. Only messages and demand are worth it: where
 * one moved the next, or its answer, may follow within microseconds, while heartbeats and acknowledgements
 * are followed by nothing for long. And the time adapts to how long it took until the next one moved, by
 * whether something had arrived or this side had spoken: who asks once a second waits for the answer only,
 * not for his own next question. Where this side had slept, and the peer presumably, too, it is measured
 * whether looking is any good ({@link AnswerWatch}). The engine's thread only.
 */
final class SpinTime {

  /** Rather than for less it does not look at all, but where it may not look longer. */
  private static final long LEAST_NANOS = 2_000;

  private final long maxNanos;
  private long afterArrivalNanos;
  private long afterSendingNanos;

  // What moved last, in whichever direction, and when.
  private long sent;
  private long arrived;
  private boolean spoke;
  private long movedAtNanos;

  // Of who sent after a sleep: the peer may be asleep, too.
  private final AnswerWatch answers = new AnswerWatch();
  private boolean slept;
  private boolean asked;

  /** @param maxNanos 0 never spins */
  SpinTime(long maxNanos, long nowNanos) {
    this.maxNanos = maxNanos;
    this.afterArrivalNanos = maxNanos;
    this.afterSendingNanos = maxNanos;
    this.movedAtNanos = nowNanos - maxNanos;
  }

  /**
   * A cycle is over.
   *
   * @param begunNanos when it began
   * @param endedNanos when it ended: to encode a large message takes as long as to wait for an answer
   * @param sentSoFar messages and demand that left since the engine began
   * @param arrivedSoFar what came since then, pieces of large messages included
   */
  void worked(long begunNanos, long endedNanos, long sentSoFar, long arrivedSoFar) {
    if (sentSoFar == sent && arrivedSoFar == arrived) {
      return;
    }
    long gapNanos = begunNanos - movedAtNanos;
    if (spoke) {
      afterSendingNanos = adapted(afterSendingNanos, gapNanos);
    } else {
      afterArrivalNanos = adapted(afterArrivalNanos, gapNanos);
    }
    spoke = arrivedSoFar == arrived;
    watch(gapNanos);
    sent = sentSoFar;
    arrived = arrivedSoFar;
    movedAtNanos = endedNanos;
  }

  /** It slept since. */
  void slept() {
    slept = true;
  }

  private void watch(long gapNanos) {
    if (asked && !spoke) {
      answers.answered(Math.min(gapNanos, 2 * maxNanos));
    }
    // Who goes on sending without an answer awaits none.
    asked = spoke && slept && !asked;
    slept = false;
    if (asked) {
      answers.begin();
    }
  }

  /** A gap that a sleep made longer, by what it takes to wake up, still counts as short. */
  private long adapted(long nanos, long gapNanos) {
    return gapNanos < 2 * maxNanos
        ? Math.min(maxNanos, Math.max(LEAST_NANOS, nanos * 2))
        : nanos <= LEAST_NANOS ? 0 : nanos / 2;
  }

  /** How long nothing moved. */
  long idleNanos(long nowNanos) {
    return nowNanos - movedAtNanos;
  }

  /**
   * Whether to go on looking after so long.
   *
   * @param leastNanos how long to look at least, but for an answer that sleeping brings sooner
   */
  boolean goesOn(long idleNanos, long leastNanos) {
    boolean sleeps = asked && answers.sleeps();
    long looks = Math.max(leastNanos, spoke ? afterSendingNanos : afterArrivalNanos);
    return !sleeps && idleNanos < Math.min(maxNanos, looks);
  }
}
