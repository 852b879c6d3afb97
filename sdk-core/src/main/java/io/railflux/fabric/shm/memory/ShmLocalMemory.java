package io.railflux.fabric.shm.memory;

import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;

/** Local memory of this fabric. */
public interface ShmLocalMemory extends LocalMemory {

  /** Returns the whole memory, with limits that only the fabric moves; {@code null} once it is closed. */
  ByteBuffer view();

  /** Whether the range is within the capacity. Never overflows. */
  static boolean inside(int offset, int length, int capacity) {
    return (offset | length) >= 0 && length <= capacity - offset;
  }

  /** Whether {@code memory} is open, contains the range, and is writable if required. */
  static boolean usable(LocalMemory memory, int offset, int length, boolean asSink) {
    if (!(memory instanceof ShmLocalMemory own)) {
      return false;
    }
    ByteBuffer view = own.view();
    return view != null
        && inside(offset, length, view.capacity())
        && !(asSink && view.isReadOnly());
  }
}
