package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RNDZ_FIN frame: the portion of that grant is written, or never will be because the sender
 * gave the message up (RV1: R 3). It travels over the subchannel the portion was written over, behind
 * it. The streamSeq of the frame is the number of the transfer.
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

  /** As {@link #encode}, without a record. */
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
