package io.railflux.engine;

/**
 * How to wait for the answer of a peer that presumably sleeps, as this side did before it sent: looking for it, or
 * asleep as well. Who looks hears of it sooner by the time it takes to wake up; but it keeps a processor from the peer,
 * and the kernel from running both on one, which is what wakes up fastest where there are few. So it is measured:
 * whichever brought answers sooner lately is taken, and the other one tried now and then. Engine thread only.
 */
final class AnswerWatch {

  /** One of so many exchanges tries the other way. */
  static final int TRIAL_EVERY = 16;

  /** By what part of itself an estimate follows a time: medians, as a pause of the machine says nothing. */
  private static final int STEP = 8;

  private long lookingNanos;
  private long sleepingNanos;
  private boolean sleeps;
  private int exchanges;

  /** Returns how to wait for the next answer: whether to sleep. */
  boolean begin() {
    boolean better = sleepingNanos < lookingNanos;
    exchanges++;
    sleeps = (exchanges % TRIAL_EVERY == 0) != better;
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
