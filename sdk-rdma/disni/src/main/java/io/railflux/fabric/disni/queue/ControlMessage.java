package io.railflux.fabric.disni.queue;

import java.nio.ByteBuffer;

/**
 * A message between the fabrics of two peers. Each control message is a send with immediate data; sends of users
 * carry no immediate data. The first control message opens the connection, and the connecting side sends first. Later
 * control messages have the same format. Each control message also wakes the peer. Little-endian.
 *
 * <pre>
 *      0                 4         5          8
 *     +-----------------+---------+----------+
 *   0 | 'R' 'F' 'D' 'S' | version | reserved |
 *   8 | int32 slots     | int32 slotBytes    |   receives that this side keeps posted, all of one size
 *  16 | int64 taken                          |   messages of the peer that were stored in a receive
 *  24 | int64 seen                          |   received control messages of the peer
 *     +--------------------------------------+
 * </pre>
 *
 * <p>A side has at most {@link DisniSendQueue#DEPTH} messages and {@link Nudges#LIMIT} control messages that the peer
 * has not confirmed. The peer keeps a slot for each of them, so no card waits for a receive. Such a wait would be long:
 * the connection manager sets it to 655 ms.
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
  private static final int SEEN_OFFSET = 24;

  private ControlMessage() {}

  static void begin(ByteBuffer at, int slots, int slotBytes) {
    at.putInt(0, MAGIC);
    at.put(VERSION_OFFSET, VERSION);
    at.putInt(SLOTS_OFFSET, slots);
    at.putInt(SLOT_BYTES_OFFSET, slotBytes);
  }

  /** The card reads the message when it sends it; later numbers include all earlier ones. */
  public static void update(ByteBuffer at, long taken, long seen) {
    at.putLong(TAKEN_OFFSET, taken);
    at.putLong(SEEN_OFFSET, seen);
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

  public static long seen(ByteBuffer from, int offset) {
    return from.getLong(offset + SEEN_OFFSET);
  }
}
