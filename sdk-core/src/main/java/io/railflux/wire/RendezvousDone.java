package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RNDZ_DONE frame, which ends every transfer once. It is the FIN of a reader (RV2: R 4.2), and the
 * acknowledgement of a written message. The receiver does not access the source afterwards. The streamSeq of the
 * frame is the number of the transfer.
 *
 * <pre>
 *       0                 4                 8
 *      +-----------------+-----------------+
 *    0 | outcome         | readNanos       |
 *      +-----------------+-----------------+
 *       0 the message is in the receiver's memory
 *       1 the receiver abandoned it
 * </pre>
 *
 * @param readNanos duration of the read for the policy of the sender (MR6: V 7.1.2), at most {@link #MAX_NANOS};
 * {@link #LATE} if its end was observed too late; 0 if the message was not read as a whole
 */
public record RendezvousDone(int outcome, long readNanos) {
  /** Size of the encoded body. */
  public static final int BYTES = 8;

  /** The message is in the receiver's memory. */
  public static final int ARRIVED = 0;

  /** The receiver dropped the message. */
  public static final int ABANDONED = 1;

  /** The message was read, but the duration is unknown. */
  public static final long LATE = 1;

  /** Largest duration; longer ones are reduced to it. */
  public static final long MAX_NANOS = 0xFFFF_FFFFL;

  /** Validates the outcome. */
  public RendezvousDone {
    Fields.requireUnsigned("outcome", outcome, ABANDONED);
    if (readNanos < 0 || readNanos > MAX_NANOS) {
      throw new IllegalArgumentException(
          "readNanos " + readNanos + " is no unsigned 32-bit number");
    }
  }

  /** Creates the result of a message that was not read: written or abandoned. */
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
