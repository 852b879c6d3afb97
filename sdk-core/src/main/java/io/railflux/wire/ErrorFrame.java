package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of an ERROR frame.
 *
 * <pre>
 *  0
 * +------------------------+-----------------+------------------+
 * | string exceptionClass  | string message  | [string origin]  |   bytes after it are ignored
 * +------------------------+-----------------+------------------+
 * </pre>
 *
 * <p>All are for people, so encoding never fails: null becomes empty, and longer strings than 255, 1024 and 255 bytes
 * are cut. The message may have several lines.
 *
 * @param origin stream and node of a relayed failure; empty, and absent on the wire, for a failure of the sender
 */
public record ErrorFrame(String exceptionClass, String message, String origin) {
  /** Replaces null by empty texts, and control characters of class and origin by spaces. */
  public ErrorFrame {
    exceptionClass = Strings.text(exceptionClass);
    message = message == null ? "" : message;
    origin = Strings.text(origin);
  }

  /** Creates the body of a failure that arose at the sender. */
  public ErrorFrame(String exceptionClass, String message) {
    this(exceptionClass, message, "");
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
        + Strings.encodedBytes(message, Strings.MAX_TEXT_BYTES)
        + (origin.isEmpty() ? 0 : Strings.encodedBytes(origin, Strings.MAX_NAME_BYTES));
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Strings.encode(target, exceptionClass, Strings.MAX_NAME_BYTES);
    Strings.encode(target, message, Strings.MAX_TEXT_BYTES);
    if (!origin.isEmpty()) {
      Strings.encode(target, origin, Strings.MAX_NAME_BYTES);
    }
  }

  /** Reads the body between position and limit. */
  public static ErrorFrame decode(ByteBuffer source) throws MalformedFrameException {
    String exceptionClass = Strings.decode(source, Strings.MAX_NAME_BYTES);
    String message = Strings.decode(source, Strings.MAX_TEXT_BYTES);
    String origin = source.hasRemaining() ? Strings.decode(source, Strings.MAX_NAME_BYTES) : "";
    return new ErrorFrame(exceptionClass, message, origin);
  }
}
