package io.railflux.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Frames that a receiver has after it fenced a rail: body of a RESUME frame and part of HELLO.
 *
 * <pre>
 *      0              4
 *     +--------------+--------------+
 *   0 | epoch        | subchannel   |
 *     +--------------+--------------+
 *   8 | expectedPsn                 |  the first PSN that is missing
 *     +--------------+--------------+
 *  16 | uint16 wordCount             |
 *     +-----------------------------+
 *  18 | int64 words                 |  bit i: expectedPsn + i was received; bit 0 is always 0
 *     +-----------------------------+
 * </pre>
 *
 * <p>PSNs below expectedPsn were received, those beyond the words were not.
 */
// Copied on the way in and out, compared by content.
@SuppressWarnings("ArrayRecordComponent")
public record ResumeInfo(int epoch, int subchannel, long expectedPsn, long[] received) {
  /** Bounds the set to 65536 PSNs, the largest reorder window. */
  public static final int MAX_WORDS = 1024;

  private static final int FIXED_BYTES = 18;

  /** Validates and copies the set. */
  public ResumeInfo {
    if (received.length > MAX_WORDS) {
      throw new IllegalArgumentException(
          "received set of " + received.length + " words, at most " + MAX_WORDS + " are allowed");
    }
    if (received.length > 0 && (received[0] & 1) != 0) {
      throw new IllegalArgumentException("the expected PSN is in the received set");
    }
    received = received.clone();
  }

  /** A copy of the set. */
  @Override
  public long[] received() {
    return received.clone();
  }

  /** Whether {@code psn} was received. */
  public boolean hasReceived(long psn) {
    long distance = psn - expectedPsn;
    if (distance < 0) {
      return true;
    }
    int word = (int) Math.min(distance >>> 6, received.length);
    return word < received.length && (received[word] >>> distance & 1) != 0;
  }

  /** Size of the encoded body. */
  public int encodedBytes() {
    return FIXED_BYTES + Long.BYTES * received.length;
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putInt(target, epoch);
    Fields.putInt(target, subchannel);
    Fields.putLong(target, expectedPsn);
    Fields.putShort(target, received.length);
    for (long word : received) {
      Fields.putLong(target, word);
    }
  }

  /** Reads the body between position and limit; bytes after it are ignored. */
  public static ResumeInfo decode(ByteBuffer source) throws MalformedFrameException {
    int epoch = Fields.getInt(source);
    int subchannel = Fields.getInt(source);
    long expectedPsn = Fields.getLong(source);
    int wordCount = Fields.unsignedShort(source);
    if (wordCount > MAX_WORDS) {
      throw new MalformedFrameException(
          "received set of " + wordCount + " words, at most " + MAX_WORDS + " are allowed");
    }
    long[] received = new long[wordCount];
    for (int i = 0; i < wordCount; i++) {
      received[i] = Fields.getLong(source);
    }
    try {
      return new ResumeInfo(epoch, subchannel, expectedPsn, received);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("RESUME: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResumeInfo that
        && epoch == that.epoch
        && subchannel == that.subchannel
        && expectedPsn == that.expectedPsn
        && Arrays.equals(received, that.received);
  }

  @Override
  public int hashCode() {
    int hash = 31 * epoch + subchannel;
    return 31 * (31 * hash + Long.hashCode(expectedPsn)) + Arrays.hashCode(received);
  }

  @Override
  public String toString() {
    int count = Arrays.stream(received).mapToInt(Long::bitCount).sum();
    return "ResumeInfo[epoch=" + epoch + ", subchannel=" + subchannel + ", expectedPsn="
        + expectedPsn + ", " + count + " received beyond it]";
  }
}
