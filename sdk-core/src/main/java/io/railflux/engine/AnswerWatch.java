package io.railflux.engine;

/**
 * How to wait for the answer of a peer that presumably sleeps, as this side did before it sent: looking for it, or
 * asleep as well. Who looks hears of it sooner by the time it takes to wake up; but it keeps a processor from the peer,
 * and the kernel from running both on one, which is what wakes up fastest where there are few. So it is measured, for
 * all peers of the engine together: whichever brought answers sooner lately is taken, and the other one tried now and
 * then, the seldomer the longer that changed nothing. Engine thread only.
 */
final class AnswerWatch {

  /** So many exchanges later the other way is tried again, then after twice as many, up to the most. */
  static final int LEAST_UNTIL_TRIAL = 16;

  static final int MOST_UNTIL_TRIAL = 256;

  /** By what part of itself an estimate follows a time: medians, as a pause of the machine says nothing. */
  private static final int STEP = 8;

  // 0: not known.
  private long lookingNanos;
  private long sleepingNanos;
  private boolean sleepingIsBetter;
  private boolean sleeps;
  private int untilTrial = 1;
  private int untilNextTrial = LEAST_UNTIL_TRIAL;

  /** Decides how to wait for the next answer. */
  void begin() {
    boolean was = sleepingIsBetter;
    sleepingIsBetter = sleepingNanos > 0 && sleepingNanos < lookingNanos;
    if (sleepingIsBetter != was) {
      untilTrial = LEAST_UNTIL_TRIAL;
      untilNextTrial = LEAST_UNTIL_TRIAL;
    }
    boolean trial = untilTrial == 0;
    if (trial) {
      untilTrial = untilNextTrial;
      untilNextTrial = Math.min(2 * untilNextTrial, MOST_UNTIL_TRIAL);
    } else {
      untilTrial--;
    }
    sleeps = sleepingIsBetter != trial;
  }

  /** Whether to sleep until it comes. */
  boolean sleeps() {
    return sleeps;
  }

  /** So long after it was asked for, it came. */
  void answered(long nanos) {
    if (sleeps) {
      sleepingNanos = towards(sleepingNanos, nanos);
    } else {
      lookingNanos = towards(lookingNanos, nanos);
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
