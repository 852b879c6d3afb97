package io.railflux.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A piece of direct memory of one size class, cached or lent. */
final class Slab {

  private final ByteBuffer memory;
  private final int sizeClass;

  /** Next cached slab of the class; valid while this one is cached. */
  Slab next;

  /** Watched loan, reachable only from here; null if not lent or not tracked. */
  Loan loan;

  /** Account of the loan; null if not lent or not charged. */
  LoanAccount account;

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

  /** Resets position, limit and order of the buffer. */
  void prepare(int lengthBytes) {
    memory.clear().limit(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
