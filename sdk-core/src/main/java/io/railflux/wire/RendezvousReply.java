package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RNDZ_REPLY frame: grants a region for one portion of a large message, and names the subchannel (RV1: R
 * 3). The streamSeq of the frame is the number of the transfer.
 *
 * <pre>
 *       0                 4                 8
 *      +-----------------+-----------------+
 *    0 | grant           | subchannel      |  the receiver's number of this grant, never used again
 *      +-----------------+-----------------+
 *    8 | key                               |  of the region to write to
 *      +-----------------+-----------------+
 *   16 | regionBytes     | regionOffset    |
 *      +-----------------+-----------------+
 *   24 | dataOffset      | lengthBytes     |  this part of the message
 *      +-----------------+-----------------+
 * </pre>
 *
 * @param grant number of the grant; a portion that is granted again after the loss of its subchannel has another
 * number, which identifies late frames of the first grant
 */
public record RendezvousReply(
    int grant, int subchannel, Region region, int dataOffset, int lengthBytes) {
  /** Size of the encoded body. */
  public static final int BYTES = 32;

  /** Validates that the portion is not empty and within the region. */
  public RendezvousReply {
    Fields.requireUnsigned("grant", grant, Integer.MAX_VALUE);
    Fields.requireUnsigned("subchannel", subchannel, Integer.MAX_VALUE);
    Fields.requireUnsigned("dataOffset", dataOffset, Integer.MAX_VALUE);
    if (lengthBytes < 1) {
      throw new IllegalArgumentException("a portion of " + lengthBytes + " bytes");
    }
    region.requireHolds(lengthBytes);
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putInt(target, grant);
    Fields.putInt(target, subchannel);
    region.encode(target);
    Fields.putInt(target, dataOffset);
    Fields.putInt(target, lengthBytes);
  }

  /** Reads the body between position and limit. */
  public static RendezvousReply decode(ByteBuffer source) throws MalformedFrameException {
    int grant = Fields.getInt(source);
    int subchannel = Fields.getInt(source);
    Region region = Region.decode(source);
    int dataOffset = Fields.getInt(source);
    try {
      return new RendezvousReply(grant, subchannel, region, dataOffset, Fields.getInt(source));
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("RNDZ_REPLY: " + e.getMessage(), e);
    }
  }
}
