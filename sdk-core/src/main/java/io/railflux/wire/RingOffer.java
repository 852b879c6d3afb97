package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RING_OFFER frame: a ring that replaces the ring of a subchannel (CH3: T 3.3, step J1). The sender of the
 * flow ends the present ring by a RING_SWITCH frame, unless it declines. There is at most one open offer for a
 * subchannel.
 *
 * <pre>
 *       0                 4                 8
 *      +-----------------+-----------------+
 *    0 | subchannel      | ringBytes       |
 *      +-----------------+-----------------+
 *    8 | ringKey                           |
 *      +------+----------------------------+
 *   16 | kind |  0 pooled, 1 shared ring, 2 dedicated ring; others count as dedicated
 *      +------+
 * </pre>
 *
 * Bytes after it are ignored.
 *
 * @param ringBytes a power of two
 * @param kind kind of the message channel, for display, 0 to 255
 */
public record RingOffer(int subchannel, int ringBytes, long ringKey, int kind) {
  /** Size of the encoded body. */
  public static final int BYTES = 17;

  private static final int MAX_KIND = 255;

  /** Validates the numbers. */
  public RingOffer {
    Fields.requireUnsigned("subchannel", subchannel, Integer.MAX_VALUE);
    Fields.requireUnsigned("kind", kind, MAX_KIND);
    if (ringBytes < FrameHeader.SLOT_BYTES || Integer.bitCount(ringBytes) != 1) {
      throw new IllegalArgumentException("ring of " + ringBytes + " B is no power of two");
    }
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putInt(target, subchannel);
    Fields.putInt(target, ringBytes);
    Fields.putLong(target, ringKey);
    Fields.putByte(target, kind);
  }

  /** Reads the body between position and limit. */
  public static RingOffer decode(ByteBuffer source) throws MalformedFrameException {
    int subchannel = Fields.getInt(source);
    int ringBytes = Fields.getInt(source);
    long ringKey = Fields.getLong(source);
    int kind = Fields.unsignedByte(source);
    try {
      return new RingOffer(subchannel, ringBytes, ringKey, kind);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException(e.getMessage(), e);
    }
  }
}
