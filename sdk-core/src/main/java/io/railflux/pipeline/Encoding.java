package io.railflux.pipeline;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where codecs of users write into memory that is shared by all streams of a peer. */
public final class Encoding {

  private Encoding() {}

  /**
   * What a codec said it would write at most.
   *
   * @throws IllegalArgumentException when that is no size
   */
  public static int requireSize(int maxBytes) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("the codec said it would write up to " + maxBytes
          + " bytes; maxEncodedBytes must return 0 or more");
    }
    return maxBytes;
  }

  /**
   * Lets {@code outgoing} write one body; meanwhile the entry is being encoded.
   *
   * @param start where it begins in {@link Slot#buffer}
   * @param maxBytes what it may take
   * @return the bytes written
   * @throws IllegalStateException when the codec left the position where no body can end
   */
  public static <T> int body(Outgoing<T> outgoing, T value, Slot slot, int start, int maxBytes) {
    ByteBuffer buffer = bounded(slot.buffer, start, maxBytes);
    slot.encoding = true;
    try {
      outgoing.encode(value, buffer);
    } finally {
      slot.encoding = false;
    }
    return written(buffer, start, maxBytes);
  }

  /** As the other, for an entry that is being encoded anyway. Neither calls the other: inlining ends at 15 levels. */
  public static <T> int body(
      Outgoing<T> outgoing, T value, ByteBuffer entry, int start, int maxBytes) {
    ByteBuffer buffer = bounded(entry, start, maxBytes);
    outgoing.encode(value, buffer);
    return written(buffer, start, maxBytes);
  }

  private static ByteBuffer bounded(ByteBuffer buffer, int start, int maxBytes) {
    if (buffer.order() != ByteOrder.LITTLE_ENDIAN) {
      // Another codec left it so.
      buffer.order(ByteOrder.LITTLE_ENDIAN);
    }
    return buffer.limit(start + maxBytes).position(start);
  }

  private static int written(ByteBuffer buffer, int start, int maxBytes) {
    int bytes = buffer.position() - start;
    if (bytes < 0 || bytes > maxBytes) {
      throw new IllegalStateException("the codec moved the buffer's position by " + bytes
          + ", it said it would write 0 to " + maxBytes + " bytes");
    }
    return bytes;
  }
}
