package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Regions that the peer may write to: the payload of a {@link Proof}.
 *
 * <pre>
 *      0                  8                12
 *     +------------------+----------------+----------------+
 *   0 | int64 ringKey    | int32 ringBytes| int32 wordsBytes|
 *  16 | int64 wordsKey                                      |
 *  24 | sessionProof                                        |  32 bytes; zero at a first contact and
 *     +-----------------------------------------------------+  without a secret
 *  56
 * </pre>
 *
 * Bytes after it are ignored.
 *
 * @param ringBytes a multiple of 64
 * @param sessionProof HMAC-SHA256 under the key of the joined session
 */
public record Grant(
    long ringKey, int ringBytes, long wordsKey, int wordsBytes, Bits256 sessionProof) {
  /** Size of the encoded payload. */
  public static final int BYTES = 56;

  /** Validates the sizes. */
  public Grant {
    Fields.requireUnsigned("ringBytes", ringBytes, Integer.MAX_VALUE);
    Fields.requireUnsigned("wordsBytes", wordsBytes, Integer.MAX_VALUE);
    Objects.requireNonNull(sessionProof, "sessionProof");
    if (ringBytes % FrameHeader.SLOT_BYTES != 0) {
      throw new IllegalArgumentException("ring of " + ringBytes + " bytes has no whole slots");
    }
  }

  /** Writes the payload at the position. */
  public void encode(ByteBuffer target) {
    Fields.putLong(target, ringKey);
    Fields.putInt(target, ringBytes);
    Fields.putInt(target, wordsBytes);
    Fields.putLong(target, wordsKey);
    sessionProof.encode(target);
  }

  /** Reads the payload between position and limit. */
  public static Grant decode(ByteBuffer source) throws MalformedFrameException {
    long ringKey = Fields.getLong(source);
    int ringBytes = Fields.getInt(source);
    int wordsBytes = Fields.getInt(source);
    long wordsKey = Fields.getLong(source);
    Bits256 sessionProof = Bits256.decode(source);
    try {
      return new Grant(ringKey, ringBytes, wordsKey, wordsBytes, sessionProof);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException(e.getMessage(), e);
    }
  }
}
