package io.railflux.samples.quickstart;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Flyweight;
import java.nio.ByteBuffer;

// tag::flyweight[]
/** 16 bytes: id, then price. */
final class Quote implements Flyweight {

  static final Codec<Quote> CODEC = Codecs.flyweight("quote-v1", 16, Quote::new);

  private ByteBuffer buffer;
  private int offset;

  @Override
  public void wrap(ByteBuffer slot, int newOffset, int lengthBytes) {
    buffer = slot;
    offset = newOffset;
  }

  long id() {
    return buffer.getLong(offset);
  }

  double price() {
    return buffer.getDouble(offset + Long.BYTES);
  }
  // end::flyweight[]

  /** Writes the viewed bytes, which belong to the sender. */
  Quote set(long id, double price) {
    buffer.putLong(offset, id);
    buffer.putDouble(offset + Long.BYTES, price);
    return this;
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  public int encodedLength() {
    return 16;
  }
}
