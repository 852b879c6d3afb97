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
    slot.encoding = true;
    try {
      return body(outgoing, value, slot.buffer, start, maxBytes);
    } finally {
      slot.encoding = false;
    }
  }

  /** As the other, for an entry that is being encoded anyway. */
  public static <T> int body(
      Outgoing<T> outgoing, T value, ByteBuffer buffer, int start, int maxBytes) {
    if (buffer.order() != ByteOrder.LITTLE_ENDIAN) {
      // Another codec left it so.
      buffer.order(ByteOrder.LITTLE_ENDIAN);
    }
    buffer.limit(start + maxBytes).position(start);
    outgoing.encode(value, buffer);
    int bytes = buffer.position() - start;
    if (bytes < 0 || bytes > maxBytes) {
      throw new IllegalStateException("the codec moved the buffer's position by " + bytes
          + ", it said it would write 0 to " + maxBytes + " bytes");
    }
    return bytes;
  }
}
