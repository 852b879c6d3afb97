package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Where the messages of a BATCH frame end. Its body is
 *
 * <pre>
 *     +-----------------------------+
 *     | message 0        | pad to 8 |
 *     | message 1        | pad to 8 |   count times; content of the padding means nothing
 *     +-----------------------------+
 *     | uint16 bytes of a message   |   count times, in the same order
 *     +-----------------------------+
 *     | uint16 count                |   the end of the frame
 *     +-----------------------------+
 * </pre>
 *
 * The lengths stand behind the messages, because a sender that begins with a message does not know
 * whether another follows; and a single message is a DATA frame as it stands.
 */
public final class BatchTable {

  /** In one frame, however short they are: it bounds what a reader does at a time. */
  public static final int MAX_MESSAGES = 256;

  static final int COUNT_BYTES = 2;
  static final int ENTRY_BYTES = 2;

  private BatchTable() {}

  /** What the table of so many messages takes. */
  public static int bytes(int count) {
    return count * ENTRY_BYTES + COUNT_BYTES;
  }

  /** What a message of so many bytes takes, up to where the next one begins. */
  public static int paddedBytes(int bytes) {
    return (bytes + 7) & -8;
  }

  /** Writes the table of the first {@code count} lengths at {@code at}; returns where it ends. */
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
