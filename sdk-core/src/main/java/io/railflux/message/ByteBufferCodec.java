package io.railflux.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The remaining bytes of a buffer; same wire format as {@link BytesCodec}. */
final class ByteBufferCodec implements Codec<ByteBuffer> {

  @Override
  public String name() {
    return "bytes";
  }

  @Override
  public int maxEncodedBytes(ByteBuffer value) {
    return value.remaining();
  }

  @Override
  public void encode(ByteBuffer value, ByteBuffer slot) {
    int start = slot.position();
    int length = value.remaining();
    // Absolute access leaves the position unchanged and allocates no duplicate.
    slot.put(start, value, value.position(), length);
    slot.position(start + length);
  }

  @Override
  public ByteBuffer inPlace(ByteBuffer value) {
    return value;
  }

  @Override
  public ByteBuffer decode(ByteBuffer slot) {
    ByteBuffer value = ByteBuffer.allocate(slot.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    return value.put(slot).flip();
  }
}
