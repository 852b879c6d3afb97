package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a GOODBYE or CLOSING frame: the reason, as text for people; and of an AWAITING frame: a name.
 *
 * <pre>
 *  0
 * +--------------+
 * | string text  |   bytes after it are ignored
 * +--------------+
 * </pre>
 *
 * <p>A null text becomes empty, control characters become spaces, and texts longer than 1024 bytes are cut.
 */
public record GoodbyeFrame(String text) {
  /** Converts the text to one line. */
  public GoodbyeFrame {
    text = Strings.text(text);
  }

  /** Size of the encoded body. */
  public int encodedBytes() {
    return Strings.encodedBytes(text, Strings.MAX_TEXT_BYTES);
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Strings.encode(target, text, Strings.MAX_TEXT_BYTES);
  }

  /** Reads the body between position and limit. */
  public static GoodbyeFrame decode(ByteBuffer source) throws MalformedFrameException {
    return new GoodbyeFrame(Strings.decode(source, Strings.MAX_TEXT_BYTES));
  }
}
