package io.railflux.message;

import java.nio.ByteBuffer;

/** The bytes of an array. */
final class BytesCodec implements Codec<byte[]> {

  @Override
  public String name() {
    return "bytes";
  }

  @Override
  public int maxEncodedBytes(byte[] value) {
    return value.length;
  }

  @Override
  public void encode(byte[] value, ByteBuffer slot) {
    slot.put(value);
  }

  @Override
  public byte[] decode(ByteBuffer slot) {
    byte[] value = new byte[slot.remaining()];
    slot.get(value);
    return value;
  }
}
