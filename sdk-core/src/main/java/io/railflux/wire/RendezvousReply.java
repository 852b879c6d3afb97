package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RNDZ_REPLY frame: where one portion of a large message is to be written, over which
 * subchannel (RV1: R 3). The streamSeq of the frame is the number of the transfer.
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
 * @param grant a portion that has to be written again, because its subchannel was lost, gets another
 *     number: what is still on its way for the first one is recognised by it
 */
public record RendezvousReply(
    int grant, int subchannel, Region region, int dataOffset, int lengthBytes) {
  /** Size of the encoded body. */
  public static final int BYTES = 32;

  /** A place in memory the receiver exposed. */
  public record Region(long key, int bytes, int offset) {}

  /** Checks that the portion lies within the region and is not empty. */
  public RendezvousReply {
    Fields.requireUnsigned("grant", grant, Integer.MAX_VALUE);
    Fields.requireUnsigned("subchannel", subchannel, Integer.MAX_VALUE);
    Fields.requireUnsigned("dataOffset", dataOffset, Integer.MAX_VALUE);
    Fields.requireUnsigned("regionBytes", region.bytes, Integer.MAX_VALUE);
    Fields.requireUnsigned("regionOffset", region.offset, Integer.MAX_VALUE);
    if (lengthBytes < 1 || lengthBytes > region.bytes - region.offset) {
      throw new IllegalArgumentException(lengthBytes + " bytes at " + region.offset
          + " of a region of " + region.bytes + " bytes");
    }
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putInt(target, grant);
    Fields.putInt(target, subchannel);
    Fields.putLong(target, region.key);
    Fields.putInt(target, region.bytes);
    Fields.putInt(target, region.offset);
    Fields.putInt(target, dataOffset);
    Fields.putInt(target, lengthBytes);
  }

  /** Reads the body between position and limit. */
  public static RendezvousReply decode(ByteBuffer source) throws MalformedFrameException {
    int grant = Fields.getInt(source);
    int subchannel = Fields.getInt(source);
    long key = Fields.getLong(source);
    int bytes = Fields.getInt(source);
    Region region = new Region(key, bytes, Fields.getInt(source));
    int dataOffset = Fields.getInt(source);
    try {
      return new RendezvousReply(grant, subchannel, region, dataOffset, Fields.getInt(source));
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("RNDZ_REPLY: " + e.getMessage(), e);
    }
  }
}
