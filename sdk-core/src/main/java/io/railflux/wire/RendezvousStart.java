package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a RNDZ_START frame: a large message is there to be fetched, or to be written to where a
 * {@link RendezvousReply} says (RV1, RV2: R 3, 4.1).
 *
 * <pre>
 *       0                 4                 8
 *      +-----------------+-----------------+
 *    0 | transfer                          |  the sender's number, never used again
 *      +-----------------+-----------------+
 *    8 | lengthBytes     | subchannel      |  what is read through; -1 when it cannot be read
 *      +-----------------+-----------------+
 *   16 | key                               |  of the region that holds it; 0 unless it can be read
 *      +-----------------+-----------------+
 *   24 | regionBytes     | regionOffset    |  where in it; 0 unless it can be read
 *      +-----------------+-----------------+
 *   32 | kind            | reserved        |  0 message of a stream, 1 request
 *      +-----------------+-----------------+
 * </pre>
 */
public record RendezvousStart(
    long transfer, int lengthBytes, int subchannel, Region source, int kind) {
  /** Size of the encoded body. */
  public static final int BYTES = 40;

  /** The payload is what a DATA frame would carry; streamSeq is its number. */
  public static final int MESSAGE = 0;

  /** The payload is what a REQUEST frame would carry; streamSeq is the initial demand. */
  public static final int REQUEST = 1;

  /** The source cannot be read: the receiver asks to be written to. */
  public static final int NOT_READABLE = -1;

  private static final Region NOWHERE = new Region(0, 0, 0);

  /** Checks the ranges, and that what can be read lies within its region. */
  public RendezvousStart {
    Fields.requireUnsigned("lengthBytes", lengthBytes, Integer.MAX_VALUE);
    Fields.requireUnsigned("kind", kind, REQUEST);
    if (subchannel < NOT_READABLE) {
      throw new IllegalArgumentException("subchannel must not be " + subchannel);
    }
    if (subchannel != NOT_READABLE) {
      source.requireHolds(lengthBytes);
    }
  }

  /** Of a message that cannot be read. */
  public static RendezvousStart notReadable(long transfer, int lengthBytes, int kind) {
    return new RendezvousStart(transfer, lengthBytes, NOT_READABLE, NOWHERE, kind);
  }

  /** Whether the source is exposed for reading. */
  public boolean isReadable() {
    return subchannel != NOT_READABLE;
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putLong(target, transfer);
    Fields.putInt(target, lengthBytes);
    Fields.putInt(target, subchannel);
    source.encode(target);
    Fields.putInt(target, kind);
    Fields.putInt(target, 0);
  }

  /** Reads the body between position and limit. */
  public static RendezvousStart decode(ByteBuffer source) throws MalformedFrameException {
    long transfer = Fields.getLong(source);
    int lengthBytes = Fields.getInt(source);
    int subchannel = Fields.getInt(source);
    Region region = Region.decode(source);
    int kind = Fields.getInt(source);
    Fields.take(source, Integer.BYTES);
    try {
      return new RendezvousStart(transfer, lengthBytes, subchannel, region, kind);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("RNDZ_START: " + e.getMessage(), e);
    }
  }
}
