package io.railflux.engine;

/**
 * How to wait for the answer of a peer that presumably sleeps, as this side did before it sent: looking for it, or
 * asleep as well. Who looks hears of it sooner by the time it takes to wake up; but it keeps a processor from the peer,
 * and the kernel from running both on one, which is what wakes up fastest where there are few. So it is measured, for
 * all peers of the engine together: the other way is tried a few times in a row now and then, the seldomer the longer
 * that changed nothing, and taken if it brought answers sooner. No time of an earlier trial is compared: how long each
 * way takes changes within a second, with what both processes have in the caches. Engine thread only.
 */
final class AnswerWatch {

  /** So many exchanges later the other way is tried again, then after twice as many, up to the most. */
  static final int LEAST_UNTIL_TRIAL = 16;

  /** So that less than one exchange in a hundred is a try. */
  static final int MOST_UNTIL_TRIAL = 384;

  /** Answered exchanges of a trial, of which the middle one counts, as a pause of the machine says nothing. */
  static final int TRIES = 3;

  /** Who sends twice before it is answered, or awaits no answer, may have to begin more often. */
  static final int MOST_BEGUN = 2 * TRIES;

  /** By what part of itself the usual time follows a time: it is a median as well. */
  private static final int STEP = 8;

  private boolean sleepingIsBetter;
  private boolean sleeps;

  // Of the way that is taken; 0: not known.
  private long usualNanos;

  private int untilTrial = 1;
  private int untilNextTrial = LEAST_UNTIL_TRIAL;
  private boolean trial;
  private int begun;
  private final long[] triedNanos = new long[TRIES];
  private int tried;

  /** Decides how to wait for the next answer. */
  void begin() {
    if (trial && (tried == TRIES || begun == MOST_BEGUN)) {
      endTrial();
    }
    if (trial || untilTrial == 0) {
      trial = true;
      begun++;
    } else {
      untilTrial--;
    }
    sleeps = sleepingIsBetter != trial;
  }

  private void endTrial() {
    if (tried == TRIES && median() < usualNanos) {
      sleepingIsBetter = !sleepingIsBetter;
      usualNanos = median();
      untilNextTrial = LEAST_UNTIL_TRIAL;
    }
    untilTrial = untilNextTrial;
    untilNextTrial = Math.min(2 * untilNextTrial, MOST_UNTIL_TRIAL);
    trial = false;
    begun = 0;
    tried = 0;
  }

  private long median() {
    long low = Math.min(triedNanos[0], triedNanos[1]);
    long high = Math.max(triedNanos[0], triedNanos[1]);
    return Math.max(low, Math.min(high, triedNanos[2]));
  }

  /** Whether to sleep until it comes. */
  boolean sleeps() {
    return sleeps;
  }

  /** So long after it was asked for, it came. At most once after each {@link #begin}. */
  void answered(long nanos) {
    if (trial) {
      triedNanos[tried++] = nanos;
    } else {
      usualNanos = towards(usualNanos, nanos);
    }
  }

  private static long towards(long median, long nanos) {
    if (median == 0) {
      return Math.max(1, nanos);
    }
    long step = median / STEP + 1;
    return nanos > median ? Math.min(nanos, median + step) : Math.max(nanos, median - step);
  }
}
