package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Lengths of the messages of a BATCH frame, whose body is
 *
 * <pre>
 *     +-----------------------------+
 *     | message 0        | pad to 8 |
 *     | message 1        | pad to 8 |   count times; the padding has no meaning
 *     +-----------------------------+
 *     | uint16 bytes of a message   |   count times, in the same order
 *     +-----------------------------+
 *     | uint16 count                |   the end of the frame
 *     +-----------------------------+
 * </pre>
 *
 * <p>The lengths follow the messages, because the sender of a first message does not know whether another follows,
 * and a single message is an unchanged DATA frame.
 */
public final class BatchTable {

  /** Largest number of messages in a frame; bounds the turn of a reader. */
  public static final int MAX_MESSAGES = 256;

  static final int COUNT_BYTES = 2;
  static final int ENTRY_BYTES = 2;

  private BatchTable() {}

  /** Returns the size of the table. */
  public static int bytes(int count) {
    return count * ENTRY_BYTES + COUNT_BYTES;
  }

  /** Returns the size of a message up to the start of the next one. */
  public static int paddedBytes(int bytes) {
    return (bytes + 7) & -8;
  }

  /** Writes the table of the first {@code count} lengths at {@code at}; returns its end. */
  public static int put(ByteBuffer b, int at, short[] lengths, int count) {
    int entry = at;
    for (int i = 0; i < count; i++) {
      b.putShort(entry, lengths[i]);
      entry += ENTRY_BYTES;
    }
    b.putShort(entry, (short) count);
    return entry + COUNT_BYTES;
  }
}
