package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** Text as UTF-8. */
final class Utf8Codec implements Codec<String> {

  @Override
  public String name() {
    return "utf8";
  }

  @Override
  public int maxEncodedBytes(String value) {
    return Math.multiplyExact(3, value.length());
  }

  @Override
  public void encode(String value, ByteBuffer slot) {
    slot.put(value.getBytes(UTF_8));
  }

  @Override
  public String decode(ByteBuffer slot) {
    byte[] bytes = new byte[slot.remaining()];
    slot.get(bytes);
    return new String(bytes, UTF_8);
  }
}
