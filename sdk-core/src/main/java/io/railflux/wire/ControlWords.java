package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * The region a node grants its peer to write credit and acknowledgements into; the latest word
 * wins.
 *
 * <pre>
 *     0                  8
 *    +------------------+------------------+
 *  0 | creditPosition   | ack              |  each written with one 8-byte release store
 *    +------------------+------------------+  or RDMA write
 * 16 | unused, so that the rest starts a cache line
 *    +------------------+------------------+
 * 64 | reserved, zero                      |  to 128
 *    +-------------------------------------+
 * </pre>
 *
 * Both begin at 0, as the region does: creditPosition counts the ring bytes consumed, ack the
 * sequenced frames received without a gap since the firstPsn of the HELLO.
 *
 * <p>Words may be overtaken by older ones of another rail: take a word only when it is ahead.
 */
public final class ControlWords {
  /** Offset of the credit position. */
  public static final int CREDIT_OFFSET = 0;

  /** Offset of the acknowledgement. */
  public static final int ACK_OFFSET = 8;

  /** Offset of the second cache line, which later versions may use. */
  public static final int RESERVED_OFFSET = 64;

  /** Size of the region. */
  public static final int BYTES = 128;

  private ControlWords() {}

  /** Reads a word with acquire; the buffer must be direct and the word aligned. */
  public static long load(ByteBuffer words, int offset) {
    return (long) Fields.LONG.getAcquire(words, offset);
  }

  /** Writes a word with release; the buffer must be direct and the word aligned. */
  public static void store(ByteBuffer words, int offset, long value) {
    Fields.LONG.setRelease(words, offset, value);
  }
}
