package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * Buffers of one size, used over and over by one thread: without the locks and the threads of a
 * general allocator. A buffer is free again when everybody it was lent to has released it.
 */
final class ReusedBuffers {

  /** Several connections may each hold some for more. */
  private static final int MOST_KEPT = 4 * FrameWriter.MOST_HELD;

  private final int bytes;
  private final List<ByteBuf> kept = new ArrayList<>();
  private boolean closed;

  ReusedBuffers(int bytes) {
    this.bytes = bytes;
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
    ByteBuf buffer = Unpooled.directBuffer(bytes, bytes);
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
