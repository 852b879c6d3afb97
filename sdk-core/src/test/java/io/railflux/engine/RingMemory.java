package io.railflux.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory in place of a mapped ring. */
public final class RingMemory {

  private static final int LINE_BYTES = 64;

  private RingMemory() {}

  /** Returns direct memory aligned to a cache line. */
  public static ByteBuffer of(int bytes) {
    return ByteBuffer.allocateDirect(bytes + LINE_BYTES)
        .alignedSlice(LINE_BYTES)
        .slice(0, bytes)
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
