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
 *    0 | outcome         | reserved        |
 *      +-----------------+-----------------+
 *       0 the message is in the receiver's memory
 *       1 it is not: nobody wants it any more
 * </pre>
 */
public record RendezvousDone(int outcome) {
  /** Size of the encoded body. */
  public static final int BYTES = 8;

  /** The message is in the receiver's memory. */
  public static final int ARRIVED = 0;

  /** The receiver dropped it. */
  public static final int ABANDONED = 1;

  /** Checks the outcome. */
  public RendezvousDone {
    Fields.requireUnsigned("outcome", outcome, ABANDONED);
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putInt(target, outcome);
    Fields.putInt(target, 0);
  }

  /** Reads the body between position and limit. */
  public static RendezvousDone decode(ByteBuffer source) throws MalformedFrameException {
    int outcome = Fields.getInt(source);
    Fields.take(source, Integer.BYTES);
    try {
      return new RendezvousDone(outcome);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("RNDZ_DONE: " + e.getMessage(), e);
    }
  }
}
