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
 * <p>An unknown reason is kept. A null text becomes empty, control characters become spaces, and texts longer than
 * 1024 bytes are cut.
 */
public record RejectFrame(int reason, String text) {
  /** The name is already open. */
  public static final int DUPLICATE_NAME = 1;

  /** The two sides use different codecs. */
  public static final int CODEC_MISMATCH = 2;

  /** The route has no handler. */
  public static final int NO_SUCH_ROUTE = 3;

  /** The receiver's limit is reached. */
  public static final int TOO_MANY_STREAMS = 4;

  /** The receiver is closing. */
  public static final int CLOSING = 5;

  /** The subscriber gives a position, and the stream is not positioned. */
  public static final int NOT_POSITIONED = 6;

  /** The reason must fit a byte. */
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
