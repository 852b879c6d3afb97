package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import java.nio.ByteBuffer;

/**
 * Common fields of all handshake messages, which travel by SEND, not in the ring.
 *
 * <pre>
 *  0                 4      5          6            8            10
 * +-----------------+------+----------+------------+------------+----
 * | 'R' 'F' 'L' 'X' | type | reserved | versionMin | versionMax | by type
 * +-----------------+------+----------+------------+------------+----
 * </pre>
 */
public final class HandshakeHeader {
  /** The characters RFLX, in this order on the wire. */
  public static final int MAGIC = 'R' | 'F' << 8 | 'L' << 16 | 'X' << 24;

  /** Type of {@link Hello}. */
  public static final int HELLO = 1;

  /** Type of {@link HelloReject}. */
  public static final int HELLO_REJECT = 2;

  /** Type of the connecting side's {@link Proof}. */
  public static final int PROOF = 3;

  /** Type of the accepting side's {@link Proof}. */
  public static final int JOINED = 4;

  /** Type of {@link RedialRequest}. */
  public static final int REDIAL_REQUEST = 5;

  /** Size of a receive buffer for any message of this version, with room for later versions. */
  public static final int MAX_BYTES = 16 * 1024;

  private static final int TYPE_OFFSET = 4;

  private HandshakeHeader() {}

  /**
   * Returns the type of the message at the position, which does not move. Types of later versions are returned too.
   *
   * @throws MalformedFrameException if the message is too short or lacks the magic
   */
  public static int messageType(ByteBuffer message) throws MalformedFrameException {
    if (message.remaining() <= TYPE_OFFSET) {
      throw new MalformedFrameException("handshake of " + message.remaining() + " bytes");
    }
    int magic = (int) Fields.INT.get(message, message.position());
    if (magic != MAGIC) {
      throw new MalformedFrameException(
          "handshake starts with 0x" + Integer.toHexString(magic) + ": not a Railflux peer");
    }
    return Byte.toUnsignedInt(message.get(message.position() + TYPE_OFFSET));
  }

  static void putStart(ByteBuffer target, int type, Versions versions) {
    Fields.putInt(target, MAGIC);
    Fields.putByte(target, type);
    Fields.putByte(target, 0);
    Fields.putShort(target, versions.min());
    Fields.putShort(target, versions.max());
  }

  static Versions takeStart(ByteBuffer source, int type) throws MalformedFrameException {
    int found = messageType(source);
    if (found != type) {
      throw new MalformedFrameException("handshake type " + found + " where " + type + " is due");
    }
    Fields.take(source, TYPE_OFFSET + 2);
    int min = Fields.unsignedShort(source);
    int max = Fields.unsignedShort(source);
    try {
      return new Versions(min, max);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException(e.getMessage(), e);
    }
  }
}
