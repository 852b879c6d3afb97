package io.railflux.fabric.tcp.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.railflux.buffer.MemorySource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Buffers of one size that one thread reuses, without the locks and garbage of a general allocator. A buffer is free
 * when all of its holders have released it.
 */
public final class ReusedBuffers {

  /** Several connections may hold some of them. */
  private static final int MAX_KEPT = 4 * FrameWriter.MAX_HELD;

  private final int bytes;
  private final Supplier<ByteBuf> further;
  private final MemorySource memory;
  private final List<ByteBuf> kept = new ArrayList<>();
  private boolean scarce;
  private boolean closed;

  ReusedBuffers(int bytes, Supplier<ByteBuf> further, MemorySource memory) {
    this.bytes = bytes;
    this.further = further;
    this.memory = memory;
  }

  /** Creates buffers with memory of their own, which {@link #close} frees. */
  public static ReusedBuffers ofBytes(int bytes, MemorySource memory) {
    return new ReusedBuffers(bytes, () -> Unpooled.directBuffer(bytes, bytes), memory);
  }

  /** Keeps a number of buffers, as far as memory is available without waiting. */
  public void reserve(int count) {
    while (kept.size() < Math.min(count, MAX_KEPT) && memory.hasRoom(bytes)) {
      kept.add(further.get());
    }
  }

  /**
   * Whether {@link #take} has a buffer without waiting for memory.
   *
   * @param holdsNone whether the caller holds none; with scarce memory no caller gets a second one
   */
  public boolean hasOne(boolean holdsNone) {
    if (!scarce || holdsNone) {
      for (int i = 0; i < kept.size(); i++) {
        if (kept.get(i).refCnt() == 1) {
          return true;
        }
      }
    }
    scarce = !memory.hasRoom(bytes);
    return !scarce;
  }

  /** Whether the last attempt to allocate a buffer found no memory. */
  boolean isScarce() {
    return scarce;
  }

  /** Creates buffers over the whole of {@code memory}, which stays the property of the caller; they need no close. */
  static ReusedBuffers over(ByteBuffer memory) {
    return new ReusedBuffers(
        memory.capacity(),
        () -> Unpooled.wrappedBuffer(memory.duplicate().clear()).clear(),
        MemorySource.UNLIMITED);
  }

  public int bytes() {
    return bytes;
  }

  /** Returns an empty buffer, which the caller releases or passes on. */
  public ByteBuf take() {
    for (int i = 0; i < kept.size(); i++) {
      ByteBuf buffer = kept.get(i);
      if (buffer.refCnt() == 1) {
        return buffer.clear().retain();
      }
    }
    ByteBuf buffer = further.get();
    if (!closed && kept.size() < MAX_KEPT) {
      kept.add(buffer);
      buffer.retain();
    }
    return buffer;
  }

  public void close() {
    closed = true;
    kept.forEach(ByteBuf::release);
    kept.clear();
  }
}
