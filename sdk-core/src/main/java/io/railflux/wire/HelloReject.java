package io.railflux.wire;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Answer to a {@link Hello} that cannot be accepted.
 *
 * <pre>
 *  0       4      5          6            8            10       12
 * +-------+------+----------+------------+------------+--------+--------------+
 * | magic | 2    | reserved | versionMin | versionMax | reason | string text  |
 * +-------+------+----------+------------+------------+--------+--------------+
 * </pre>
 *
 * Bytes after it are ignored. A reason this version does not know is kept as it is. A null text
 * becomes empty; one longer than 1024 bytes is cut when encoded.
 */
public record HelloReject(Versions versions, int reason, String text) {
  /** No version in common. */
  public static final int VERSION = 1;

  /** The expected incarnation is gone: this node was restarted. */
  public static final int UNKNOWN_SESSION = 2;

  /** The message could not be read. */
  public static final int MALFORMED = 3;

  /** The node is closing. */
  public static final int CLOSING = 4;

  /** The node's limit of peers is reached. */
  public static final int TOO_MANY_PEERS = 5;

  private static final int FIXED_BYTES = 12;

  /** Checks that the reason fits 16 bits. */
  public HelloReject {
    Objects.requireNonNull(versions, "versions");
    Fields.requireUnsigned("reason", reason, 0xFFFF);
    text = text == null ? "" : text;
  }

  /** Size of the encoded message. */
  public int encodedBytes() {
    return FIXED_BYTES + Strings.encodedBytes(text, Strings.MAX_TEXT_BYTES);
  }

  /** Writes the message at the position. */
  public void encode(ByteBuffer target) {
    Handshake.putStart(target, Handshake.HELLO_REJECT, versions);
    Fields.putShort(target, reason);
    Strings.encode(target, text, Strings.MAX_TEXT_BYTES);
  }

  /** Reads the message between position and limit. */
  public static HelloReject decode(ByteBuffer source) throws MalformedFrameException {
    Versions versions = Handshake.takeStart(source, Handshake.HELLO_REJECT);
    int reason = Fields.unsignedShort(source);
    return new HelloReject(versions, reason, Strings.decode(source, Strings.MAX_TEXT_BYTES));
  }
}
