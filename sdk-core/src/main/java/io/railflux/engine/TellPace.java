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

  /** Where every cycle reads some more, but cycles take long. */
  static final long WITHIN_NANOS = 1_000_000;

  private final int ringBytes;
  private long seen;
  private long formerTold = -1;
  private long sinceNanos;

  TellPace(int ringBytes) {
    this.ringBytes = ringBytes;
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
        || nowNanos - sinceNanos >= WITHIN_NANOS;
  }
}
