package io.railflux.fabric.disni.queue;

import java.nio.ByteBuffer;

/**
 * What two ends of a connection tell each other beside the messages of their users: a send with
 * immediate data, which no user's send has. The first one opens the connection, the connecting side
 * speaks first. All later ones are of the same form; each also is a wake-up. Little-endian.
 *
 * <pre>
 *      0                 4         5          8
 *     +-----------------+---------+----------+
 *   0 | 'R' 'F' 'D' 'S' | version | reserved |
 *   8 | int32 slots     | int32 slotBytes    |   receives this side keeps posted, all of one size
 *  16 | int64 taken                          |   messages of the peer that found their receive
 *  24 | int64 heard                          |   control messages of the peer seen
 *     +--------------------------------------+
 * </pre>
 *
 * <p>A side never has more than {@link DisniSendQueue#DEPTH} messages and {@link Nudges#LIMIT} control
 * messages on their way that the other did not tell taken or heard: there is a slot for each, so no
 * card ever waits for a receive. The connection manager leaves the wait between two tries at 655 ms.
 */
public final class ControlMessage {

  static final int BYTES = 32;
  static final int IMMEDIATE = 1;

  private static final int MAGIC = 'R' | 'F' << 8 | 'D' << 16 | 'S' << 24;
  private static final byte VERSION = 1;
  private static final int VERSION_OFFSET = 4;
  private static final int SLOTS_OFFSET = 8;
  private static final int SLOT_BYTES_OFFSET = 12;
  private static final int TAKEN_OFFSET = 16;
  private static final int HEARD_OFFSET = 24;

  private ControlMessage() {}

  static void begin(ByteBuffer at, int slots, int slotBytes) {
    at.putInt(0, MAGIC);
    at.put(VERSION_OFFSET, VERSION);
    at.putInt(SLOTS_OFFSET, slots);
    at.putInt(SLOT_BYTES_OFFSET, slotBytes);
  }

  /** The card reads the message when it sends it; later numbers include all earlier ones. */
  public static void update(ByteBuffer at, long taken, long heard) {
    at.putLong(TAKEN_OFFSET, taken);
    at.putLong(HEARD_OFFSET, heard);
  }

  /** Returns the defect of a message; null without any. */
  public static String objection(ByteBuffer from, int offset, int lengthBytes) {
    if (lengthBytes != BYTES || from.getInt(offset) != MAGIC) {
      return "the received message is no control message";
    }
    int version = from.get(offset + VERSION_OFFSET);
    if (version != VERSION) {
      return "control messages of version " + version + ", not " + VERSION;
    }
    int slots = from.getInt(offset + SLOTS_OFFSET);
    int slotBytes = from.getInt(offset + SLOT_BYTES_OFFSET);
    if (slots < MessageSlots.COUNT || slotBytes < MessageSlots.BYTES) {
      return "only " + slots + " receives of " + slotBytes + " bytes";
    }
    return null;
  }

  public static long taken(ByteBuffer from, int offset) {
    return from.getLong(offset + TAKEN_OFFSET);
  }

  public static long heard(ByteBuffer from, int offset) {
    return from.getLong(offset + HEARD_OFFSET);
  }
}
