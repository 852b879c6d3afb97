package io.railflux.fabric.shm.memory;

/**
 * Entries of a mailbox. Positions are 64-bit byte counts that never wrap; the place in the ring is
 * the position modulo its size. Entries begin at multiples of 16 and never wrap around.
 *
 * <pre>
 *    0                   4                   8                   12                  16
 *    +-------------------+-------------------+-------------------+-------------------+
 *    | kind              | length            | immediate         | zero              |
 *    +-------------------+-------------------+-------------------+-------------------+
 *    | payload, SEND only: length bytes, then padding to the next multiple of 16 |
 *    +-------------------------------------------------------------------------------+
 * </pre>
 *
 * <ul>
 *   <li>PAD: skip to the end of the ring; the next entry is at its beginning.
 *   <li>SEND: {@code length} bytes of payload.
 *   <li>IMMEDIATE: {@code length} bytes were written to a region before; no payload here.
 * </ul>
 */
public final class MailboxLayout {

  public static final int PAD = 1;
  public static final int SEND = 2;
  public static final int IMMEDIATE = 3;

  public static final int KIND = 0;
  public static final int LENGTH = 4;
  public static final int IMMEDIATE_DATA = 8;
  public static final int HEADER_BYTES = 16;

  public static final int CAPACITY_BYTES = LinkLayout.MAILBOX_BYTES;

  /**
   * A quarter of the ring: even with the largest padding an entry takes less than half, so an empty mailbox has room
   * for every entry.
   */
  public static final int MAX_PAYLOAD_BYTES = CAPACITY_BYTES / 4;

  private MailboxLayout() {}

  public static int index(long position) {
    return (int) (position & (CAPACITY_BYTES - 1));
  }

  /** Returns the size of an entry with {@code payloadBytes}. */
  public static int entryBytes(int payloadBytes) {
    return (HEADER_BYTES + payloadBytes + HEADER_BYTES - 1) & -HEADER_BYTES;
  }

  public static boolean aligned(long position) {
    return (position & (HEADER_BYTES - 1)) == 0;
  }
}
