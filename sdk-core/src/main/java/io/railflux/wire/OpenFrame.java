package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of an OPEN frame.
 *
 * <pre>
 *  0      1
 * +------+--------------+---------------+--------------------+- - - - - - -+
 * | kind | string name  | string codec  | string replyCodec  | positioned  |  bytes after it are ignored
 * +------+--------------+---------------+--------------------+- - - - - - -+
 *  0 stream: replyCodec is empty     1 route
 * </pre>
 *
 * @param positioned whether the source of the stream begins at the position that its subscriber gives, see {@link
 *     FrameType#POSITION}. The byte is 1 then, and otherwise missing
 */
public record OpenFrame(
    int kind, String name, String codec, String replyCodec, boolean positioned) {
  /** A stream of messages. */
  public static final int STREAM = 0;

  /** A route for requests. */
  public static final int ROUTE = 1;

  /** Announces a route, or a stream whose source begins where its sender decides. */
  public OpenFrame(int kind, String name, String codec, String replyCodec) {
    this(kind, name, codec, replyCodec, false);
  }

  /** Validates the strings (at most 255 bytes of UTF-8 each, no control characters). */
  public OpenFrame {
    Fields.requireUnsigned("kind", kind, ROUTE);
    Strings.requireName("name", name);
    Strings.requireName("codec", codec);
    Strings.requireName("replyCodec", replyCodec);
    if (kind == STREAM && !replyCodec.isEmpty()) {
      throw new IllegalArgumentException("a stream has no reply codec, was " + replyCodec);
    }
  }

  /**
   * Validates the name of a stream, route or codec before it is opened.
   *
   * @param what description for the message
   * @throws IllegalArgumentException if the name is empty, has more than 255 bytes of UTF-8 or control characters, or
   *     is malformed
   */
  public static void requireName(String what, String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          what + " must have 1 to " + Strings.MAX_NAME_BYTES + " bytes of UTF-8, has none");
    }
    Strings.requireName(what, name);
  }

  /** Size of the encoded body. */
  public int encodedBytes() {
    return 1
        + Strings.encodedBytes(name, Strings.MAX_NAME_BYTES)
        + Strings.encodedBytes(codec, Strings.MAX_NAME_BYTES)
        + Strings.encodedBytes(replyCodec, Strings.MAX_NAME_BYTES)
        + (positioned ? 1 : 0);
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putByte(target, kind);
    Strings.encode(target, name, Strings.MAX_NAME_BYTES);
    Strings.encode(target, codec, Strings.MAX_NAME_BYTES);
    Strings.encode(target, replyCodec, Strings.MAX_NAME_BYTES);
    if (positioned) {
      Fields.putByte(target, 1);
    }
  }

  /** Reads the body between position and limit. */
  public static OpenFrame decode(ByteBuffer source) throws MalformedFrameException {
    int kind = Fields.unsignedByte(source);
    String name = Strings.decode(source, Strings.MAX_NAME_BYTES);
    String codec = Strings.decode(source, Strings.MAX_NAME_BYTES);
    String replyCodec = Strings.decode(source, Strings.MAX_NAME_BYTES);
    try {
      boolean positioned = source.hasRemaining() && source.get() == 1;
      return new OpenFrame(kind, name, codec, replyCodec, positioned);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("OPEN: " + e.getMessage(), e);
    }
  }
}
