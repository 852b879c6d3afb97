package io.railflux.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Source of direct memory. Any thread. */
public interface MemorySource {

  /** Always attempts to allocate. */
  MemorySource UNLIMITED = new MemorySource() {
    @Override
    public boolean hasRoom(long bytes) {
      return true;
    }

    @Override
    public ByteBuffer allocate(int bytes) {
      return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public String usage() {
      return "direct memory is used up";
    }
  };

  /**
   * Whether {@link #allocate} would presumably succeed without waiting. Does not wait.
   *
   * @param bytes size in bytes
   */
  boolean hasRoom(long bytes);

  /**
   * Allocates zeroed memory. Without room it waits for the garbage collector for half a second or more, which the
   * engine thread must not do.
   *
   * @param bytes capacity of the buffer in bytes
   * @return a new little-endian buffer
   * @throws OutOfMemoryError at the limit
   */
  ByteBuffer allocate(int bytes);

  /**
   * Like {@link #allocate}, without waiting.
   *
   * @param bytes capacity of the buffer in bytes
   * @return a new little-endian buffer, or null without room
   */
  default @Nullable ByteBuffer tryAllocate(int bytes) {
    if (!hasRoom(bytes)) {
      return null;
    }
    try {
      return allocate(bytes);
    } catch (OutOfMemoryError e) {
      // Another thread took the room.
      return null;
    }
  }

  /** Returns used and total memory, as text for people. */
  String usage();
}
