package io.railflux.fabric.shm;

import io.railflux.fabric.shm.memory.LinkLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory in place of a mapping. Races within one process observe the same orders as races between two. */
final class SharedBytes {

  private static final int LINE_BYTES = 64;

  private SharedBytes() {}

  /** Returns the beginning of a link file, up to the first entries of lane 0. Races keep thousands of them. */
  static ByteBuffer shortLink() {
    return lines(LinkLayout.MAILBOX_OFFSET + 4 * LINE_BYTES);
  }

  /** Returns all of lane 0. */
  static ByteBuffer laneZero() {
    return lines(LinkLayout.MAILBOX_OFFSET + LinkLayout.MAILBOX_BYTES);
  }

  /** Returns memory aligned to a cache line. */
  static ByteBuffer lines(int length) {
    return ByteBuffer.allocateDirect(length + LINE_BYTES)
        .alignedSlice(LINE_BYTES)
        .slice(0, length)
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
