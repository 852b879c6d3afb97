package io.railflux.message.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** Text as UTF-8. Short ASCII, the usual case, is written without an intermediate array. */
public final class Utf8 {

  // Beyond this length the vectorised encoder of the JDK is faster despite its array.
  private static final int DIRECT_CHARS = 24;
  // Up to this length three bytes per character are a sufficient bound; longer texts are counted.
  private static final int UNCOUNTED_CHARS = 256;

  private Utf8() {}

  /** Returns an upper bound for the size of a text. */
  public static int maxBytes(String value) {
    int length = value.length();
    return length <= UNCOUNTED_CHARS ? 3 * length : countBytes(value);
  }

  /** Writes the text at the position, without its length. */
  public static void put(ByteBuffer slot, String value) {
    int start = slot.position();
    if (isAsciiWritten(value, slot, start)) {
      slot.position(start + value.length());
    } else {
      slot.put(value.getBytes(UTF_8));
    }
  }

  /** Writes length and text. */
  static void putSized(ByteBuffer slot, String value) {
    int start = slot.position();
    if (value.length() < slot.remaining() && isAsciiWritten(value, slot, start + 1)) {
      slot.put((byte) value.length()).position(start + 1 + value.length());
    } else {
      byte[] bytes = value.getBytes(UTF_8);
      Varint.put(slot, bytes.length);
      slot.put(bytes);
    }
  }

  /** Writes a short ASCII text at {@code start} without moving the position; returns false for other texts. */
  private static boolean isAsciiWritten(String value, ByteBuffer slot, int start) {
    return value.length() <= DIRECT_CHARS && encodeAscii(value, slot, start);
  }

  /** Reads a text of a given size. */
  public static String get(ByteBuffer slot, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    slot.get(bytes);
    return new String(bytes, UTF_8);
  }

  private static boolean encodeAscii(String value, ByteBuffer slot, int start) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        return false;
      }
      slot.put(start + i, (byte) c);
    }
    return true;
  }

  private static int countBytes(String value) {
    long bytes = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      // Each half of a surrogate pair takes two of its four bytes; an unpaired surrogate becomes
      // '?'.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return Math.toIntExact(bytes);
  }
}
