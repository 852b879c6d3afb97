package io.railflux.fabric.shm;

import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;

/** Local memory as this fabric sees it. */
interface ShmLocalMemory extends LocalMemory {

  /** All of the memory, with limits nobody else moves; {@code null} once it is closed. */
  ByteBuffer view();

  /** Whether the range lies within. Never overflows. */
  static boolean inside(int offset, int length, int capacity) {
    return (offset | length) >= 0 && length <= capacity - offset;
  }

  /** Whether {@code memory} is open and has the range; and takes writes where it must. */
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
