package io.railflux.samples.bench;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Flyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** 16 bytes: id, then price. */
final class Tick implements Flyweight {

  private static final int BYTES = 16;

  static final Codec<Tick> CODEC = Codecs.flyweight("bench-tick", BYTES, Tick::new);

  private ByteBuffer buffer;
  private int offset;

  static Tick of(long id, double price) {
    Tick tick = new Tick();
    ByteBuffer own = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    tick.wrap(own.putLong(0, id).putDouble(Long.BYTES, price), 0, BYTES);
    return tick;
  }

  @Override
  public void wrap(ByteBuffer slot, int newOffset, int lengthBytes) {
    buffer = slot;
    offset = newOffset;
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
    return BYTES;
  }
}
