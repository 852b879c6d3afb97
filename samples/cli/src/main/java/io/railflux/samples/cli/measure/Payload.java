package io.railflux.samples.cli.measure;

import io.railflux.message.Flyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A flyweight over a message of a fixed length that begins with its number. */
public final class Payload implements Flyweight {

  public static final int MIN_BYTES = Long.BYTES;
  private static final int CACHE_LINE_BYTES = 64;
  private static final int MAX_FILL_BYTES = 1 << 20;

  private ByteBuffer buffer;
  private int offset;
  private int lengthBytes;
  private long number;

  /**
   * Returns the content of messages. All messages share it and differ only in their numbers. Large messages repeat it.
   */
  public static ByteBuffer fill(int sizeBytes) {
    int bytes = Math.min(sizeBytes, MAX_FILL_BYTES);
    ByteBuffer fill = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < bytes; i++) {
      fill.put(i, (byte) (i * 31));
    }
    return fill;
  }

  /** Copies {@code bytes} of the repeated fill to {@code offset}. */
  public static void put(ByteBuffer fill, ByteBuffer to, int offset, int bytes) {
    int done = 0;
    while (done < bytes) {
      int part = Math.min(bytes - done, fill.capacity());
      to.put(offset + done, fill, 0, part);
      done += part;
    }
  }

  /**
   * Reads one word of every cache line, independent of the message's alignment: the minimum work of a reader. Requires
   * {@link #MIN_BYTES}.
   */
  public static long touch(ByteBuffer memory, int offset, int lengthBytes) {
    int last = lengthBytes - Long.BYTES;
    long sum = memory.getLong(offset + last);
    for (int i = 0; i < last; i += CACHE_LINE_BYTES) {
      sum ^= memory.getLong(offset + i);
    }
    return sum;
  }

  public long number() {
    return number;
  }

  public Payload number(long newNumber) {
    number = newNumber;
    return this;
  }

  @Override
  public void wrap(ByteBuffer slot, int newOffset, int newLengthBytes) {
    buffer = slot;
    offset = newOffset;
    lengthBytes = newLengthBytes;
    number = slot.getLong(newOffset);
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  public int encodedLength() {
    return lengthBytes;
  }
}
