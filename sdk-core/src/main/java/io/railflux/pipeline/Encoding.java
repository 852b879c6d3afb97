package io.railflux.pipeline;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Calls codecs of users, which write into memory that all streams of a peer share. */
public final class Encoding {

  private Encoding() {}

  /**
   * Validates the size that a codec states.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static int requireSize(Outgoing<?> outgoing, int maxBytes) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException(
          outgoing.describe() + " returned " + maxBytes + " from maxEncodedBytes, not 0 or more");
    }
    return maxBytes;
  }

  /**
   * Lets {@code outgoing} write one body, and marks the entry as being encoded.
   *
   * @param start start of the body in {@link Slot#buffer}
   * @param maxBytes largest size of the body
   * @return written bytes
   * @throws IllegalStateException if the codec exceeds that size, or leaves an impossible position
   */
  public static <T> int body(Outgoing<T> outgoing, T value, Slot slot, int start, int maxBytes) {
    ByteBuffer buffer = bounded(slot.buffer, start, maxBytes);
    slot.encoding = true;
    try {
      outgoing.encode(value, buffer);
    } catch (BufferOverflowException e) {
      throw overflow(outgoing, maxBytes, e);
    } finally {
      slot.encoding = false;
    }
    return written(outgoing, buffer, start, maxBytes);
  }

  /**
   * Lets {@code outgoing} write one body into an entry that is already being encoded. The two methods do not share
   * code, because inlining ends at 15 levels.
   */
  public static <T> int body(
      Outgoing<T> outgoing, T value, ByteBuffer entry, int start, int maxBytes) {
    ByteBuffer buffer = bounded(entry, start, maxBytes);
    try {
      outgoing.encode(value, buffer);
    } catch (BufferOverflowException e) {
      throw overflow(outgoing, maxBytes, e);
    }
    return written(outgoing, buffer, start, maxBytes);
  }

  private static ByteBuffer bounded(ByteBuffer buffer, int start, int maxBytes) {
    if (buffer.order() != ByteOrder.LITTLE_ENDIAN) {
      // Another codec changed it.
      buffer.order(ByteOrder.LITTLE_ENDIAN);
    }
    return buffer.limit(start + maxBytes).position(start);
  }

  private static int written(Outgoing<?> outgoing, ByteBuffer buffer, int start, int maxBytes) {
    int bytes = buffer.position() - start;
    if (bytes < 0 || bytes > maxBytes) {
      throw new IllegalStateException(outgoing.describe() + " moved the buffer's position by "
          + bytes + " bytes, not by 0 to the stated maximum of " + maxBytes);
    }
    return bytes;
  }

  private static IllegalStateException overflow(
      Outgoing<?> outgoing, int maxBytes, BufferOverflowException cause) {
    return new IllegalStateException(
        outgoing.describe() + " overflowed the buffer: encode wrote more than the " + maxBytes
            + " B that maxEncodedBytes returned for the value; return at least what encode writes",
        cause);
  }
}
