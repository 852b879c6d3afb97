package io.railflux.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Body of a RNDZ_START frame: announces a large message, which the receiver reads, or grants regions for by {@link
 * RendezvousReply} (RV1, RV2: R 3, 4.1).
 *
 * <pre>
 *       0                 4                 8
 *      +-----------------+-----------------+
 *    0 | transfer                          |  the sender's number, never used again
 *      +-----------------+-----------------+
 *    8 | lengthBytes     | subchannel      |  subchannel to read through; -1 if not readable
 *      +-----------------+-----------------+
 *   16 | key                               |  of the region that contains it; 0 if not readable
 *      +-----------------+-----------------+
 *   24 | regionBytes     | regionOffset    |  place within the region; 0 if not readable
 *      +-----------------+-----------------+
 *   32 | kind            | count           |  0 message of a stream, 1 request; of stripes, 0 to 64
 *      +-----------------+-----------------+
 *   40 | subchannel      | lengthBytes     |  count times: consecutive stripes of the message,
 *      +-----------------+-----------------+  and their subchannels
 * </pre>
 *
 * <p>The stripes are the cut of the sender (MR7: V 8.2). Without stripes, and for stripes of subchannels that are
 * not live, the receiver chooses the subchannels.
 *
 * @param stripes add up to the message; empty for readable messages
 */
public record RendezvousStart(
    long transfer, int lengthBytes, int subchannel, Region source, int kind, List<Stripe> stripes) {
  /** Largest number of stripes, equal to the number of subchannels of a session. */
  public static final int MAX_STRIPES = 64;

  private static final int FIXED_BYTES = 40;
  private static final int STRIPE_BYTES = 8;

  /** A piece of the message. */
  public record Stripe(int subchannel, int lengthBytes) {
    /** Refuses empty pieces. */
    public Stripe {
      Fields.requireUnsigned("subchannel", subchannel, Integer.MAX_VALUE);
      if (lengthBytes < 1) {
        throw new IllegalArgumentException("a stripe of " + lengthBytes + " bytes");
      }
    }
  }

  /** The payload is that of a DATA frame; streamSeq is its number. */
  public static final int MESSAGE = 0;

  /** The payload is that of a REQUEST frame; streamSeq is the initial demand. */
  public static final int REQUEST = 1;

  /** The source cannot be read; the receiver grants regions to write to. */
  public static final int NOT_READABLE = -1;

  private static final Region NOWHERE = new Region(0, 0, 0);

  /**
   * Validates the ranges, the place of a readable message within its region, and that stripes add up to the message.
   */
  public RendezvousStart {
    Fields.requireUnsigned("lengthBytes", lengthBytes, Integer.MAX_VALUE);
    Fields.requireUnsigned("kind", kind, REQUEST);
    if (subchannel < NOT_READABLE) {
      throw new IllegalArgumentException("subchannel must not be " + subchannel);
    }
    stripes = List.copyOf(stripes);
    if (subchannel != NOT_READABLE) {
      source.requireHolds(lengthBytes);
    }
    if (!stripes.isEmpty()) {
      requireWhole(stripes, subchannel == NOT_READABLE ? lengthBytes : 0);
    }
  }

  private static void requireWhole(List<Stripe> stripes, int bytes) {
    long sum = stripes.stream().mapToLong(Stripe::lengthBytes).sum();
    if (sum != bytes || stripes.size() > MAX_STRIPES) {
      throw new IllegalArgumentException(
          stripes.size() + " stripes of " + sum + " bytes, of " + bytes + " to be written");
    }
  }

  /** Creates the announcement of a readable message. */
  public static RendezvousStart readable(
      long transfer, int lengthBytes, int subchannel, Region source, int kind) {
    return new RendezvousStart(transfer, lengthBytes, subchannel, source, kind, List.of());
  }

  /** Creates the announcement of a message that cannot be read. */
  public static RendezvousStart notReadable(
      long transfer, int lengthBytes, int kind, List<Stripe> stripes) {
    return new RendezvousStart(transfer, lengthBytes, NOT_READABLE, NOWHERE, kind, stripes);
  }

  /** Size of the encoded body. */
  public int encodedBytes() {
    return FIXED_BYTES + stripes.size() * STRIPE_BYTES;
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
    Fields.putInt(target, stripes.size());
    for (Stripe stripe : stripes) {
      Fields.putInt(target, stripe.subchannel);
      Fields.putInt(target, stripe.lengthBytes);
    }
  }

  /** Reads the body between position and limit. */
  public static RendezvousStart decode(ByteBuffer source) throws MalformedFrameException {
    long transfer = Fields.getLong(source);
    int lengthBytes = Fields.getInt(source);
    int subchannel = Fields.getInt(source);
    Region region = Region.decode(source);
    int kind = Fields.getInt(source);
    int count = Fields.getInt(source);
    if (count < 0 || count > MAX_STRIPES) {
      throw new MalformedFrameException(
          "RNDZ_START: " + count + " stripes, most are " + MAX_STRIPES);
    }
    try {
      List<Stripe> stripes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        stripes.add(new Stripe(Fields.getInt(source), Fields.getInt(source)));
      }
      return new RendezvousStart(transfer, lengthBytes, subchannel, region, kind, stripes);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("RNDZ_START: " + e.getMessage(), e);
    }
  }
}
