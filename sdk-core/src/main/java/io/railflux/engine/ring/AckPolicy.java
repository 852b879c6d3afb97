package io.railflux.engine.ring;

/**
 * Decides when a reader reports its progress. Each report is a separate request, which wakes the sender. Little
 * progress is reported at once, because a sender of little data waits for it. More progress is reported after a
 * part of the ring or of the sequence, after the last available frame, or after {@link #WITHIN_NANOS}. Engine
 * thread only.
 */
public final class AckPolicy {

  public static final int LITTLE_BYTES = 4 << 10;
  static final int MANY_FRAMES = 64;

  /** Part of a ring that a sender would otherwise wait for. */
  private static final int PART = 8;

  /**
   * Longest time without a report, for cycles that each read more but take long, as with many peers. The time
   * counts from the cycle that observes the last report, so two more cycles may pass.
   */
  static final long WITHIN_NANOS = 20_000_000;

  /** Part of the time after which a silent path counts as broken. */
  private static final int PART_OF_DETECTION = 8;

  private int ringBytes;
  private final long withinNanos;
  private long seen;
  private long formerReported = -1;
  private long sinceNanos;

  /** @param detectNanos silence that counts as a fault, as configured on this side */
  public AckPolicy(int ringBytes, long detectNanos) {
    this.ringBytes = ringBytes;
    this.withinNanos = Math.min(WITHIN_NANOS, detectNanos / PART_OF_DETECTION);
  }

  /** Sets the size of another ring that replaces the present one. */
  public void ringBytes(int bytes) {
    ringBytes = bytes;
  }

  /**
   * Decides once a cycle. A report that is not due now is due in the next cycle, unless that cycle reads more.
   *
   * @param nowNanos time of the duty cycle
   * @param consumed position in the ring
   * @param reported last reported position
   * @param unreportedFrames number of unreported frames
   */
  public boolean isDue(long nowNanos, long consumed, long reported, long unreportedFrames) {
    if (reported != formerReported) {
      formerReported = reported;
      sinceNanos = nowNanos;
    }
    boolean more = consumed != seen;
    seen = consumed;
    long unreportedBytes = consumed - reported;
    return !more
        || unreportedBytes <= LITTLE_BYTES
        || unreportedBytes >= ringBytes / PART
        || unreportedFrames >= MANY_FRAMES
        || nowNanos - sinceNanos >= withinNanos;
  }
}
