package io.railflux.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where messages are encoded and held until acknowledged when the peer's ring cannot be mapped (D2).
 * Entries are contiguous, taken and released in order.
 */
final class SendLog {

  /** No peer's ring may cost much more. */
  private static final int MOST_BYTES = 32 << 20;

  private int size;

  // Made when the first subchannel needs it: a peer in shared memory never does.
  private ByteBuffer memory;
  private ByteBuffer view;

  private long written;
  private long released;

  SendLog(int size) {
    this.size = size;
  }

  ByteBuffer memory() {
    if (memory == null) {
      memory = ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
      view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
    return memory;
  }

  boolean isAllocated() {
    return memory != null;
  }

  int allocatedBytes() {
    return memory == null ? 0 : size;
  }

  /** The same memory for encoders, which move position and limit. */
  ByteBuffer view() {
    return view;
  }

  /**
   * Offset of {@code slotBytes} contiguous bytes that leave {@code reserveBytes} free, or -1. Nothing
   * is taken before {@link #commit}.
   */
  int claim(int slotBytes, int reserveBytes) {
    int offset = (int) written & size - 1;
    int skipped = slotBytes <= size - offset ? 0 : size - offset;
    if (size - (written - released) - reserveBytes < slotBytes + skipped) {
      return -1;
    }
    return skipped == 0 ? offset : 0;
  }

  /** What a claim that got {@code offset} might have got there. */
  int contiguousRoom(int offset, int reserveBytes) {
    int current = (int) written & size - 1;
    int skipped = offset == current ? 0 : size - current;
    return (int) Math.min(size - offset, size - (written - released) - reserveBytes - skipped);
  }

  /**
   * Whether it never held anything and so many bytes fit. Before there is memory it becomes as large as it has to,
   * within bounds: they were sent to a ring that the peer made larger than this log.
   */
  boolean makeRoomFor(long bytes) {
    if (memory == null && bytes > size && bytes <= MOST_BYTES) {
      size = Integer.highestOneBit((int) bytes - 1) << 1;
    }
    return written == 0 && bytes <= size;
  }

  /** Takes the bytes of the last claim; returns the position to {@link #release} up to. */
  long commit(int offset, int slotBytes) {
    int current = (int) written & size - 1;
    written += offset == current ? slotBytes : size - current + slotBytes;
    return written;
  }

  void release(long position) {
    released = position;
  }
}
