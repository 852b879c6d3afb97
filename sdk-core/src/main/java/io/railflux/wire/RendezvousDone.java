package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RNDZ_DONE frame, which ends every transfer, once: the FIN of the reader (RV2: R 4.2), and what
 * acknowledges a message that was written. Nothing of the source is read or asked for afterwards. The
 * streamSeq of the frame is the number of the transfer.
 *
 * <pre>
 *       0                 4                 8
 *      +-----------------+-----------------+
 *    0 | outcome         | readNanos       |
 *      +-----------------+-----------------+
 *       0 the message is in the receiver's memory
 *       1 it is not: nobody wants it any more
 * </pre>
 *
 * @param readNanos how long it took to read, which the sender's policy learns from (MR6: V 7.1.2): at most
 *     {@link #MOST_NANOS}; {@link #LATE} where its end was seen too late to say; 0 where it was not read, or not as a
 *     whole
 */
public record RendezvousDone(int outcome, long readNanos) {
  /** Size of the encoded body. */
  public static final int BYTES = 8;

  /** The message is in the receiver's memory. */
  public static final int ARRIVED = 0;

  /** The receiver dropped it. */
  public static final int ABANDONED = 1;

  /** It was read, but how long that took nobody could tell. */
  public static final long LATE = 1;

  /** What took longer is told as that. */
  public static final long MOST_NANOS = 0xFFFF_FFFFL;

  /** Checks the outcome. */
  public RendezvousDone {
    Fields.requireUnsigned("outcome", outcome, ABANDONED);
    if (readNanos < 0 || readNanos > MOST_NANOS) {
      throw new IllegalArgumentException(
          "readNanos " + readNanos + " is no unsigned 32-bit number");
    }
  }

  /** It arrived otherwise than by reads, or nobody wants it. */
  public static RendezvousDone of(int outcome) {
    return new RendezvousDone(outcome, 0);
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putInt(target, outcome);
    Fields.putInt(target, (int) readNanos);
  }

  /** Reads the body between position and limit. */
  public static RendezvousDone decode(ByteBuffer source) throws MalformedFrameException {
    int outcome = Fields.getInt(source);
    long readNanos = Integer.toUnsignedLong(Fields.getInt(source));
    try {
      return new RendezvousDone(outcome, readNanos);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("RNDZ_DONE: " + e.getMessage(), e);
    }
  }
}
