package io.railflux.engine;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides how long an engine thread looks for work before it sleeps. Only messages and demand justify spinning: the
 * next message or an answer may follow within microseconds, whereas heartbeats and acknowledgements are not followed by
 * anything soon. The spin time adapts to the measured gaps between messages, separately for gaps after arrivals and
 * after sends. A client that sends one request per second thus waits for the answer, but not for its own next request.
 * If this side slept, and the peer presumably did, too, {@link AnswerWatch} measures whether spinning pays off. Engine
 * thread only.
 */
final class IdleStrategy {

  /** Minimum spin time. A shorter time means no spinning, unless the configured maximum is shorter. */
  private static final long MIN_NANOS = 2_000;

  private final long maxNanos;
  private long afterArrivalNanos;
  private long afterSendingNanos;

  // Last counts of sent and arrived messages, the direction of the last movement, and its time.
  private long sent;
  private long arrived;
  private boolean spoke;
  private long movedAtNanos;

  // For sends after a sleep: the peer may be asleep, too.
  private final AnswerWatch answers = new AnswerWatch();
  private boolean slept;
  private boolean asked;

  /** @param maxNanos maximum spin time, in nanoseconds; 0 disables spinning */
  IdleStrategy(long maxNanos, long nowNanos) {
    this.maxNanos = maxNanos;
    this.afterArrivalNanos = maxNanos;
    this.afterSendingNanos = maxNanos;
    this.movedAtNanos = nowNanos - maxNanos;
  }

  /**
   * Records the end of a cycle.
   *
   * @param begunNanos start of the cycle
   * @param endedNanos end of the cycle: encoding a large message takes as long as waiting for an answer
   * @param sentSoFar messages and demand sent since the start of the engine
   * @param arrivedSoFar messages and demand that arrived since then, including pieces of large messages
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

  /** Records that the thread slept. */
  void slept() {
    slept = true;
  }

  private void watch(long gapNanos) {
    if (asked && !spoke) {
      answers.answered(Math.min(gapNanos, 2 * maxNanos));
    }
    // A sender that continues without an answer awaits none.
    asked = spoke && slept && !asked;
    slept = false;
    if (asked) {
      answers.begin();
    }
  }

  /** Returns the adapted spin time. A gap that a sleep extended by the wake-up latency still counts as short. */
  private long adapted(long nanos, long gapNanos) {
    return gapNanos < 2 * maxNanos
        ? Math.min(maxNanos, Math.max(MIN_NANOS, nanos * 2))
        : nanos <= MIN_NANOS ? 0 : nanos / 2;
  }

  /** Returns the time without movement, in nanoseconds. */
  long idleNanos(long nowNanos) {
    return nowNanos - movedAtNanos;
  }

  /**
   * Returns whether to continue looking after the idle time.
   *
   * @param minNanos minimum time to look, except for an answer that sleeping brings sooner
   */
  boolean mayContinue(long idleNanos, long minNanos) {
    boolean sleeps = asked && answers.sleeps();
    long looks = Math.max(minNanos, spoke ? afterSendingNanos : afterArrivalNanos);
    return !sleeps && idleNanos < Math.min(maxNanos, looks);
  }

  /**
   * Decides how to wait for the answer of a peer that is presumably asleep: spinning or sleeping. Spinning saves the
   * wake-up latency. But spinning takes a processor from the peer. It also keeps the kernel from running both threads
   * on one processor, which wakes up fastest on small machines. The choice is therefore measured, for all peers of the
   * engine together. The mode with the recently faster answers is used. The other mode is tried at times, less often
   * the longer the choice stays the same. Engine thread only.
   */
  static final class AnswerWatch {

    /**
     * Number of exchanges before the other mode is tried again. The number doubles after each trial without a change,
     * up to the maximum.
     */
    static final int MIN_UNTIL_TRIAL = 16;

    static final int MAX_UNTIL_TRIAL = 256;

    /**
     * Divisor of the estimate that gives its step towards a sample. The estimates are medians, as a pause of the
     * machine is no information.
     */
    private static final int STEP = 8;

    // 0 if unknown.
    private long lookingNanos;
    private long sleepingNanos;
    private boolean sleepingIsBetter;
    private boolean sleeps;
    private int untilTrial = 1;
    private int untilNextTrial = MIN_UNTIL_TRIAL;

    /** Decides how to wait for the next answer. */
    void begin() {
      boolean was = sleepingIsBetter;
      sleepingIsBetter = sleepingNanos > 0 && sleepingNanos < lookingNanos;
      if (sleepingIsBetter != was) {
        untilTrial = MIN_UNTIL_TRIAL;
        untilNextTrial = MIN_UNTIL_TRIAL;
      }
      boolean trial = untilTrial == 0;
      if (trial) {
        untilTrial = untilNextTrial;
        untilNextTrial = Math.min(2 * untilNextTrial, MAX_UNTIL_TRIAL);
      } else {
        untilTrial--;
      }
      sleeps = sleepingIsBetter != trial;
    }

    /** Returns whether to sleep until the answer arrives. */
    boolean sleeps() {
      return sleeps;
    }

    /** Records an answer and the time since its request, in nanoseconds. */
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

  /**
   * Detects arrivals so fast that a look for each message costs more than it gains: a reader that has caught up takes
   * the cache line from the writer that fills it. A reader that rests briefly finds a batch instead. Engine thread
   * only.
   */
  static final class ArrivalPace {

    /** Minimum time over which messages are counted. */
    static final long WINDOW_NANOS = 4_000;

    /** Number of messages in a window that counts as fast. A ping-pong exchange stays well below. */
    static final int FAST_MESSAGES = 32;

    private long windowStartNanos;
    private long messagesBefore;
    private boolean fast;

    ArrivalPace(long nowNanos) {
      this.windowStartNanos = nowNanos;
    }

    /** @param messages number of messages read since the start of the engine */
    boolean isFast(long nowNanos, long messages) {
      long elapsed = nowNanos - windowStartNanos;
      if (elapsed >= WINDOW_NANOS) {
        fast = (messages - messagesBefore) * WINDOW_NANOS >= FAST_MESSAGES * elapsed;
        windowStartNanos = nowNanos;
        messagesBefore = messages;
      }
      return fast;
    }
  }

  /**
   * Announces that the engine sleeps or is about to sleep. Threads with work for the engine check the flag, and one of
   * them wakes the engine.
   *
   * <p>The sleeper sets the flag and then looks for work. Other threads hand work over and then check the flag. No work
   * is missed because both sides write before they read: setting is a volatile write, and the handover must be one, too
   * (a queue's exchange, a flag). A release alone does not suffice: it may take effect after the look.
   */
  static final class SleepFlag {

    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Sets the flag. The engine sleeps unless the following look finds work. */
    void set() {
      asleep.set(true);
    }

    /** Returns whether the flag is set, that is, whether no thread woke the engine yet. */
    boolean isSet() {
      return asleep.get();
    }

    void clear() {
      asleep.set(false);
    }

    /** Returns whether the caller must wake the engine. Returns true to one of several callers. Any thread. */
    boolean take() {
      // Checked first: an awake engine costs its users no exclusive cache line.
      return asleep.get() && asleep.compareAndSet(true, false);
    }
  }
}
