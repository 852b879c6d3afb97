package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Buffers of one size, used over and over by one thread: without the locks and the threads of a
 * general allocator, and without garbage. A buffer is free again when everybody it was lent to has
 * released it.
 */
final class ReusedBuffers {

  /** Several connections may each hold some for more. */
  private static final int MOST_KEPT = 4 * FrameWriter.MOST_HELD;

  private final int bytes;
  private final Supplier<ByteBuf> further;
  private final List<ByteBuf> kept = new ArrayList<>();
  private boolean closed;

  private ReusedBuffers(int bytes, Supplier<ByteBuf> further) {
    this.bytes = bytes;
    this.further = further;
  }

  /** Buffers of that size with a memory of their own each, freed by {@link #close}. */
  static ReusedBuffers ofBytes(int bytes) {
    return new ReusedBuffers(bytes, () -> Unpooled.directBuffer(bytes, bytes));
  }

  /** Buffers that all show {@code memory}, whole, which stays its owner's: there is nothing to close. */
  static ReusedBuffers over(ByteBuffer memory) {
    return new ReusedBuffers(
        memory.capacity(),
        () -> Unpooled.wrappedBuffer(memory.duplicate().clear()).clear());
  }

  int bytes() {
    return bytes;
  }

  /** An empty buffer; the caller releases it or hands it on. */
  ByteBuf take() {
    for (int i = 0; i < kept.size(); i++) {
      ByteBuf buffer = kept.get(i);
      if (buffer.refCnt() == 1) {
        return buffer.clear().retain();
      }
    }
    ByteBuf buffer = further.get();
    if (!closed && kept.size() < MOST_KEPT) {
      kept.add(buffer);
      buffer.retain();
    }
    return buffer;
  }

  void close() {
    closed = true;
    kept.forEach(ByteBuf::release);
    kept.clear();
  }
}
