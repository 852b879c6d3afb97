package io.railflux.engine.fakes;

import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Registered, exposed or attached memory of this process. */
final class FakeRegion implements ExposedRegion {

  private final long key;
  private final ByteBuffer memory;
  private final Runnable onClose;
  private boolean closed;

  FakeRegion(long key, ByteBuffer memory, Runnable onClose) {
    this.key = key;
    this.memory = memory.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
    this.onClose = onClose;
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public ByteBuffer memory() {
    return memory;
  }

  @Override
  public int lengthBytes() {
    return memory.capacity();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }

  /**
   * View of the peer on a region.
   *
   * @param target memory that requests read and write
   * @param mapped the same memory if the peer maps it; null otherwise
   */
  record Remote(long key, ByteBuffer target, ByteBuffer mapped, Runnable onClose)
      implements RemoteRegion {

    @Override
    public int lengthBytes() {
      return target.capacity();
    }

    @Override
    public void close() {
      onClose.run();
    }
  }
}
