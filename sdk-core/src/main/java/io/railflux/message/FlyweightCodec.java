package io.railflux.message;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;

/** Copies viewed bytes when sending, and wraps a reused view when receiving. */
final class FlyweightCodec<F extends Flyweight> extends FixedCodec<F> {

  // A codec may serve several engines; each decodes on its own thread with its own view.
  private final ThreadLocal<F> views;

  FlyweightCodec(String name, int fixedBytes, Supplier<F> factory) {
    super(name, fixedBytes);
    Objects.requireNonNull(factory, "factory");
    this.views = ThreadLocal.withInitial(factory);
  }

  @Override
  public void encode(F value, ByteBuffer slot) {
    int length = value.encodedLength();
    if (length != lengthBytes()) {
      throw new IllegalArgumentException("codec " + name() + ": the flyweight views " + length
          + " bytes, expected " + lengthBytes());
    }
    int start = slot.position();
    slot.put(start, value.buffer(), value.offset(), length);
    slot.position(start + length);
  }

  @Override
  F read(ByteBuffer slot) {
    F view = views.get();
    view.wrap(slot, slot.position(), lengthBytes());
    return view;
  }
}
