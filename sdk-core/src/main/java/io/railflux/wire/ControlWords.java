package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Region of a node for credit and acknowledgements of its peer; the latest word wins.
 *
 * <pre>
 *     0                  8
 *    +------------------+------------------+
 *  0 | creditPosition   | ack              |  each written with one 8-byte release store
 *    +------------------+------------------+  or RDMA write
 * 16 | unused, so that the rest starts a cache line
 *    +------------------+------------------+
 * 64 | creditPosition   | ack              |  with sealed frames: one record, written with
 *    +------------------+------------------+  release stores, the number last, or by one RDMA write
 * 80 | number           | proof            |
 *    +------------------+------------------+
 * 96 | proof            | zero             |  to 128
 *    +------------------+------------------+
 * </pre>
 *
 * Both begin at 0, as the region does: creditPosition counts the ring bytes consumed, ack the
 * sequenced frames received without a gap since the firstPsn of the HELLO.
 *
 * <p>With sealed frames the first line stays zero. The number of a record increases with each record; the proof is
 * 128 bits of HMAC-SHA256 over the three words before it. A reader may see a partial record.
 *
 * <p>Older words of another rail may arrive later: a reader accepts only words that are ahead.
 */
public final class ControlWords {
  /** Offset of the credit position. */
  public static final int CREDIT_OFFSET = 0;

  /** Offset of the acknowledgement. */
  public static final int ACK_OFFSET = 8;

  /** Offset of the record for sealed frames; it begins with credit and acknowledgement. */
  public static final int SEALED_OFFSET = 64;

  /** Offset of the number of the record. */
  public static final int NUMBER_OFFSET = SEALED_OFFSET + 2 * Long.BYTES;

  /** Size of the record in bytes. */
  public static final int SEALED_BYTES = 5 * Long.BYTES;

  /** Size of the region in bytes. */
  public static final int BYTES = 128;

  private ControlWords() {}

  /** Reads a word with acquire; the buffer must be direct and the word aligned. */
  public static long load(ByteBuffer words, int offset) {
    return (long) Fields.LONG.getAcquire(words, offset);
  }

  /** Writes a record at {@code offset}; each word with release. */
  public static void storeSealed(
      ByteBuffer words,
      int offset,
      long creditPosition,
      long ack,
      long number,
      long low,
      long high) {
    store(words, offset, creditPosition);
    store(words, offset + 8, ack);
    // Written last: a reader of the number sees the values that belong to it, or later ones.
    store(words, offset + 24, low);
    store(words, offset + 32, high);
    store(words, offset + 16, number);
  }

  /** Writes a word with release; the buffer must be direct and the word aligned. */
  public static void store(ByteBuffer words, int offset, long value) {
    Fields.LONG.setRelease(words, offset, value);
  }
}
