package io.railflux.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Strings on the wire.
 *
 * <pre>
 *  0        2
 * +--------+----------------+
 * | uint16 | UTF-8 bytes    |   the count is in bytes
 * +--------+----------------+
 * </pre>
 *
 * <p>A name is an identity: it must fit, and must be usable in a line of a log. A text is for people: it is cut to
 * fit, and becomes one line.
 */
public final class Strings {
  public static final int MAX_NAME_BYTES = 255;
  public static final int MAX_TEXT_BYTES = 1024;

  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1F\\x7F-\\x9F]");

  private Strings() {}

  /** Validates that {@code name} survives encoding and does not begin a line in a log. */
  public static String requireName(String what, String name) {
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(what + " must not have control characters");
    }
    return requireFits(what, name);
  }

  /** Like {@link #requireName}, but permits all characters. */
  public static String requireFits(String what, String name) {
    try {
      int bytes =
          StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name)).remaining();
      if (bytes > MAX_NAME_BYTES) {
        throw new IllegalArgumentException(
            what + " takes " + bytes + " bytes of UTF-8, at most " + MAX_NAME_BYTES + " fit");
      }
      return name;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(what + " has an unpaired surrogate", e);
    }
  }

  /** Converts a text for people to one line: null becomes empty, control characters become spaces. */
  public static String text(String text) {
    return text == null ? "" : CONTROL.matcher(text).replaceAll(" ");
  }

  public static int encodedBytes(String value, int maxBytes) {
    return 2 + utf8(value, maxBytes).length;
  }

  public static void encode(ByteBuffer target, String value, int maxBytes) {
    byte[] bytes = utf8(value, maxBytes);
    Fields.putShort(target, bytes.length);
    target.put(bytes);
  }

  public static String decode(ByteBuffer source, int maxBytes) throws MalformedFrameException {
    return decodeBytes(source, Fields.unsignedShort(source), maxBytes);
  }

  /** Decodes a string after its length. */
  public static String decodeBytes(ByteBuffer source, int bytes, int maxBytes)
      throws MalformedFrameException {
    if (bytes > maxBytes) {
      throw new MalformedFrameException(
          "string of " + bytes + " bytes, at most " + maxBytes + " are allowed");
    }
    // Copied first, because the peer could change shared memory between check and use.
    byte[] copy = new byte[bytes];
    source.get(Fields.take(source, bytes), copy);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(copy)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFrameException("string is not UTF-8", e);
    }
  }

  /** Cuts at a code point if the string does not fit. */
  public static byte[] utf8(String value, int maxBytes) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= maxBytes) {
      return bytes;
    }
    int end = maxBytes;
    while ((bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }
}
