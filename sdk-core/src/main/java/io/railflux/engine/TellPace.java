package io.railflux.engine;

/**
 * When a reader tells how far it came, where each telling is a request of its own, which wakes the sender: at
 * once while that is little, as who sends little waits for it; else when a part of the ring or of the sequence was
 * read, or nothing more is there, or for long nothing was told. Engine thread only.
 */
final class TellPace {

  static final int LITTLE_BYTES = 4 << 10;
  static final int MANY_FRAMES = 64;

  /** Of a ring that a sender would otherwise wait for. */
  private static final int PART = 8;

  /**
   * Where every cycle reads some more, but cycles take long, as with many peers: each is woken for much. It counts
   * from the cycle that finds it told, so two cycles more may pass.
   */
  static final long WITHIN_NANOS = 20_000_000;

  /** Of the time after which a sender that hears nothing takes the path for broken. */
  private static final int PART_OF_DETECTION = 8;

  private final int ringBytes;
  private final long withinNanos;
  private long seen;
  private long formerTold = -1;
  private long sinceNanos;

  /** @param detectNanos after which silence is a fault, as configured on this side */
  TellPace(int ringBytes, long detectNanos) {
    this.ringBytes = ringBytes;
    this.withinNanos = Math.min(WITHIN_NANOS, detectNanos / PART_OF_DETECTION);
  }

  /**
   * Asked once a cycle. What is not due now is so in the next one, unless that reads more.
   *
   * @param nowNanos the duty cycle's time
   * @param consumed position in the ring
   * @param told position that the sender knows of
   * @param untoldFrames it does not know of
   */
  boolean isDue(long nowNanos, long consumed, long told, long untoldFrames) {
    if (told != formerTold) {
      formerTold = told;
      sinceNanos = nowNanos;
    }
    boolean more = consumed != seen;
    seen = consumed;
    long untoldBytes = consumed - told;
    return !more
        || untoldBytes <= LITTLE_BYTES
        || untoldBytes >= ringBytes / PART
        || untoldFrames >= MANY_FRAMES
        || nowNanos - sinceNanos >= withinNanos;
  }
}
