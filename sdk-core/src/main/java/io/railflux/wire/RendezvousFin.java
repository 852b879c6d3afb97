package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RNDZ_FIN frame: the portion of the grant is written, or will not be written because the sender
 * abandoned the message (RV1: R 3). It follows the writes over their subchannel. The streamSeq of the frame is the
 * number of the transfer.
 *
 * <pre>
 *       0                 4                 8
 *      +-----------------+-----------------+
 *    0 | grant           | reserved        |
 *      +-----------------+-----------------+
 * </pre>
 */
public record RendezvousFin(int grant) {
  /** Size of the encoded body. */
  public static final int BYTES = 8;

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    put(target, target.position(), grant);
    target.position(target.position() + BYTES);
  }

  /** Like {@link #encode}, without an instance. */
  public static void put(ByteBuffer target, int offset, int grant) {
    Fields.INT.set(target, offset, grant);
    Fields.INT.set(target, offset + Integer.BYTES, 0);
  }

  /** Reads the body between position and limit. */
  public static RendezvousFin decode(ByteBuffer source) throws MalformedFrameException {
    int grant = Fields.getInt(source);
    Fields.take(source, Integer.BYTES);
    return new RendezvousFin(grant);
  }
}
