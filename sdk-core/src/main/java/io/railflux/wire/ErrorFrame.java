package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of an ERROR frame.
 *
 * <pre>
 *  0
 * +------------------------+-----------------+
 * | string exceptionClass  | string message  |   bytes after it are ignored
 * +------------------------+-----------------+
 * </pre>
 *
 * <p>Both are for people, so encoding never fails: null becomes empty, and longer strings than 255 and 1024 bytes
 * are cut. The message may have several lines.
 */
public record ErrorFrame(String exceptionClass, String message) {
  /** Replaces null by empty texts, and control characters of the class by spaces. */
  public ErrorFrame {
    exceptionClass = Strings.text(exceptionClass);
    message = message == null ? "" : message;
  }

  /** Describes an exception, even if its own description fails. */
  public static ErrorFrame of(Throwable error) {
    String message;
    try {
      message = error.getMessage();
    } catch (Throwable e) {
      message = "its message is unavailable: " + e.getClass().getName();
    }
    return new ErrorFrame(error.getClass().getName(), message);
  }

  /** Size of the encoded body. */
  public int encodedBytes() {
    return Strings.encodedBytes(exceptionClass, Strings.MAX_NAME_BYTES)
        + Strings.encodedBytes(message, Strings.MAX_TEXT_BYTES);
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Strings.encode(target, exceptionClass, Strings.MAX_NAME_BYTES);
    Strings.encode(target, message, Strings.MAX_TEXT_BYTES);
  }

  /** Reads the body between position and limit. */
  public static ErrorFrame decode(ByteBuffer source) throws MalformedFrameException {
    String exceptionClass = Strings.decode(source, Strings.MAX_NAME_BYTES);
    return new ErrorFrame(exceptionClass, Strings.decode(source, Strings.MAX_TEXT_BYTES));
  }
}
