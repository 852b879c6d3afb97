package io.railflux.message;

import io.railflux.message.layout.Utf8;
import java.nio.ByteBuffer;

/** Text as UTF-8. */
final class Utf8Codec implements Codec<String> {

  @Override
  public String name() {
    return "utf8";
  }

  @Override
  public int maxEncodedBytes(String value) {
    return Utf8.maxBytes(value);
  }

  @Override
  public void encode(String value, ByteBuffer slot) {
    Utf8.put(slot, value);
  }

  @Override
  public String decode(ByteBuffer slot) {
    return Utf8.get(slot, slot.remaining());
  }
}
