package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a REJECT frame.
 *
 * <pre>
 *  0        1
 * +--------+--------------+
 * | reason | string text  |   bytes after it are ignored
 * +--------+--------------+
 * </pre>
 *
 * A reason this version does not know is kept as it is. A null text becomes empty, each control
 * character in one a space; one longer than 1024 bytes is cut when encoded.
 */
public record RejectFrame(int reason, String text) {
  /** The name is open already. */
  public static final int DUPLICATE_NAME = 1;

  /** The two sides use different codecs. */
  public static final int CODEC_MISMATCH = 2;

  /** Nobody answers this route. */
  public static final int NO_SUCH_ROUTE = 3;

  /** The receiver's limit is reached. */
  public static final int TOO_MANY_STREAMS = 4;

  /** The receiver is closing. */
  public static final int CLOSING = 5;

  /** Checks that the reason fits a byte. */
  public RejectFrame {
    Fields.requireUnsigned("reason", reason, 0xFF);
    text = Strings.text(text);
  }

  /** Size of the encoded body. */
  public int encodedBytes() {
    return 1 + Strings.encodedBytes(text, Strings.MAX_TEXT_BYTES);
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putByte(target, reason);
    Strings.encode(target, text, Strings.MAX_TEXT_BYTES);
  }

  /** Reads the body between position and limit. */
  public static RejectFrame decode(ByteBuffer source) throws MalformedFrameException {
    int reason = Fields.unsignedByte(source);
    return new RejectFrame(reason, Strings.decode(source, Strings.MAX_TEXT_BYTES));
  }
}
