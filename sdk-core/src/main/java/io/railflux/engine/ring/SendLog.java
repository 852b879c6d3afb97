package io.railflux.engine.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Holds encoded messages until they are acknowledged, if the peer's ring cannot be mapped (D2). Entries are
 * contiguous and are claimed and released in order.
 */
public final class SendLog {

  /** Upper bound of the log's size, whatever the size of the peer's ring. */
  private static final int MAX_BYTES = 32 << 20;

  private int size;

  // Allocated for the first subchannel that needs it; a peer in shared memory needs none.
  private ByteBuffer memory;
  private ByteBuffer view;
  private ByteBuffer reserved;

  private long written;
  private long released;

  public SendLog(int size) {
    this.size = size;
  }

  /** Sets reserved memory. The first subchannel that needs a log uses it, unless the log has to be larger. */
  public void reserve(ByteBuffer newReserved) {
    reserved = newReserved;
  }

  public ByteBuffer memory() {
    if (memory == null) {
      memory = reserved != null && reserved.capacity() == size
          ? reserved
          : ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
      reserved = null;
      view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
    return memory;
  }

  public int size() {
    return size;
  }

  /** Continues in other, empty memory. The caller moves the frames in flight. */
  public void continueIn(ByteBuffer other) {
    memory = other.order(ByteOrder.LITTLE_ENDIAN);
    view = other.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    size = other.capacity();
    reserved = null;
    written = 0;
    released = 0;
  }

  /** Whether the log has memory, used or only reserved. */
  public boolean hasMemory() {
    return memory != null || reserved != null;
  }

  public boolean isAllocated() {
    return memory != null;
  }

  public int allocatedBytes() {
    return memory == null ? 0 : size;
  }

  /** The same memory for encoders, which move position and limit. */
  public ByteBuffer view() {
    return view;
  }

  /**
   * Returns the offset of {@code slotBytes} contiguous bytes that leave {@code reserveBytes} free, or -1. {@link
   * #commit} takes the bytes.
   */
  public int claim(int slotBytes, int reserveBytes) {
    int offset = (int) written & size - 1;
    int skipped = slotBytes <= size - offset ? 0 : size - offset;
    if (size - (written - released) - reserveBytes < slotBytes + skipped) {
      return -1;
    }
    return skipped == 0 ? offset : 0;
  }

  /** Returns the bytes that a claim at {@code offset} could have had. */
  public int contiguousRoom(int offset, int reserveBytes) {
    int current = (int) written & size - 1;
    int skipped = offset == current ? 0 : size - current;
    return (int) Math.min(size - offset, size - (written - released) - reserveBytes - skipped);
  }

  /**
   * Whether the log is unused and {@code bytes} fit. An unallocated log grows to {@code bytes}, within bounds: the
   * frames went to a ring that is larger than this log.
   */
  public boolean makeRoomFor(long bytes) {
    if (memory == null && bytes > size && bytes <= MAX_BYTES) {
      size = Integer.highestOneBit((int) bytes - 1) << 1;
    }
    return written == 0 && bytes <= size;
  }

  /** Takes the bytes of the last claim; returns the position for {@link #release}. */
  public long commit(int offset, int slotBytes) {
    int current = (int) written & size - 1;
    written += offset == current ? slotBytes : size - current + slotBytes;
    return written;
  }

  public void release(long position) {
    released = position;
  }

  /** Ends the use of the log: no frame is encoded here or sent again. */
  public void close() {
    memory = null;
    view = null;
  }
}
