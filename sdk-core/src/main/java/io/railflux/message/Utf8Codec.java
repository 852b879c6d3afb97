package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** Text as UTF-8. Short ASCII, the usual case, is written without an intermediate array. */
final class Utf8Codec implements Codec<String> {

  // Beyond this the JDK's vectorised encoder is faster in spite of its array.
  private static final int DIRECT_CHARS = 24;
  // Up to here three times the length is a bound good enough; above it, counting pays.
  private static final int UNCOUNTED_CHARS = 256;

  @Override
  public String name() {
    return "utf8";
  }

  @Override
  public int maxEncodedBytes(String value) {
    int length = value.length();
    return length <= UNCOUNTED_CHARS ? 3 * length : countBytes(value);
  }

  @Override
  public void encode(String value, ByteBuffer slot) {
    int start = slot.position();
    if (value.length() <= DIRECT_CHARS && encodeAscii(value, slot, start)) {
      slot.position(start + value.length());
    } else {
      slot.put(value.getBytes(UTF_8));
    }
  }

  @Override
  public String decode(ByteBuffer slot) {
    byte[] bytes = new byte[slot.remaining()];
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
      // Each half of a surrogate pair stands for two of its four bytes; one alone becomes '?'.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return Math.toIntExact(bytes);
  }
}
