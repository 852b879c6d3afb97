package io.railflux.fabric.shm;

import io.railflux.fabric.shm.memory.LinkLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that stands in for a mapping: races in one process meet the same orders as between two.
 */
final class SharedBytes {

  private static final int LINE_BYTES = 64;

  private SharedBytes() {}

  /** A link file as far as the first few entries of lane 0: races keep thousands at a time. */
  static ByteBuffer shortLink() {
    return lines(LinkLayout.MAILBOX_OFFSET + 4 * LINE_BYTES);
  }

  /** All of lane 0. */
  static ByteBuffer laneZero() {
    return lines(LinkLayout.MAILBOX_OFFSET + LinkLayout.MAILBOX_BYTES);
  }

  /** Begins on a cache line. */
  static ByteBuffer lines(int length) {
    return ByteBuffer.allocateDirect(length + LINE_BYTES)
        .alignedSlice(LINE_BYTES)
        .slice(0, length)
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
