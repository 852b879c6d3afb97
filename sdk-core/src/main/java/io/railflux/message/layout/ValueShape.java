package io.railflux.message.layout;

import java.nio.ByteBuffer;

/**
 * Encoding of the values of one type, with a possibly variable length. Immutable, so threads share it.
 *
 * @param <T> type of the values
 */
abstract class ValueShape<T> {

  private final String signature;
  private final int minBytes;

  /**
   * Creates a shape for one component of one record.
   *
   * @param signature text of the type in the name of the codec
   * @param minBytes smallest size of a value; bounds the number of values in a message
   */
  ValueShape(String signature, int minBytes) {
    this.signature = signature;
    this.minBytes = minBytes;
  }

  /** Returns the text of the type in the name of the codec. */
  public final String signature() {
    return signature;
  }

  final int minBytes() {
    return minBytes;
  }

  /**
   * Returns an upper bound for the size of {@link #write}.
   *
   * @param depth number of recursive records around the value
   */
  abstract long sizeBytes(T value, int depth);

  /** Writes from the position on and moves it behind the value. */
  abstract void write(ByteBuffer slot, int depth, T value);

  /**
   * Reads from the position on and moves it behind the value.
   *
   * @throws IllegalArgumentException if the bytes are malformed
   * @throws java.nio.BufferUnderflowException if the message ends within the value
   */
  abstract T read(ByteBuffer slot, int depth);

  /**
   * Reads a count or length, and verifies that the message can contain that number of elements before any allocation.
   */
  static int readCount(ByteBuffer slot, int elementBytes, String where) {
    int count = Varint.get(slot);
    if ((long) count * elementBytes > slot.remaining()) {
      throw new IllegalArgumentException(
          where + ": " + count + " elements of " + elementBytes + " B or more do not fit into the "
              + slot.remaining() + " B that are left of the message");
    }
    return count;
  }
}
