package io.railflux.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A piece of direct memory of one size class, cached or lent. */
final class Slab {

  private final ByteBuffer memory;
  private final int sizeClass;

  /** The next cached slab of the class; only meaningful while this one is cached. */
  Slab next;

  /** The loan being watched, which nothing else keeps alive; null when not lent or not tracked. */
  Loan loan;

  Slab(int bytes, int sizeClass) {
    this.memory = ByteBuffer.allocateDirect(bytes);
    this.sizeClass = sizeClass;
  }

  int bytes() {
    return memory.capacity();
  }

  int sizeClass() {
    return sizeClass;
  }

  ByteBuffer memory() {
    return memory;
  }

  /** Undoes what the last holder did to the buffer's position, limit and order. */
  void prepare(int lengthBytes) {
    memory.clear().limit(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
