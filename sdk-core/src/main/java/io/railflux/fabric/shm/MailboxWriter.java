package io.railflux.fabric.shm;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Producer of a lane's mailbox.
 *
 * <p>The own position is kept here and only told to the peer; the peer's is believed no further
 * than it makes sense.
 */
final class MailboxWriter {

  /** Whether an entry fits. */
  enum Room {
    ENOUGH,
    /** Not now. The consumer was asked to ring when it has taken something out. */
    FULL,
    /** The peer's position is impossible. */
    BROKEN
  }

  private final Lane lane;
  private final ByteBuffer memory;
  private final WakeWord starved;
  private long tail;
  private long headSeen;

  MailboxWriter(Lane lane) {
    this.lane = lane;
    this.memory = lane.memory();
    this.starved = lane.starved();
  }

  /** To be asked before {@link #put}; usually answered without touching the peer's cache line. */
  Room room(int payloadBytes) {
    int needed = needed(payloadBytes);
    if (fits(needed)) {
      return Room.ENOUGH;
    }
    if (!refresh()) {
      return Room.BROKEN;
    }
    return fits(needed) ? Room.ENOUGH : starve(needed);
  }

  /** Puts an entry in, which is there when this returns. {@link #room} must have said so. */
  void put(int kind, int immediate, int length, ByteBuffer payload, int offset) {
    int payloadBytes = kind == MailboxLayout.SEND ? length : 0;
    int at = lane.mailbox() + padded(MailboxLayout.entryBytes(payloadBytes));
    header(at, kind, length, immediate);
    if (payloadBytes > 0) {
      memory.put(at + MailboxLayout.HEADER_BYTES, payload, offset, payloadBytes);
    }
    tail += MailboxLayout.entryBytes(payloadBytes);
    lane.publishTail(tail);
  }

  /** How often it asked to be rung when there is room. */
  int asked() {
    return starved.asked();
  }

  private int needed(int payloadBytes) {
    int entry = MailboxLayout.entryBytes(payloadBytes);
    int untilEnd = MailboxLayout.CAPACITY_BYTES - MailboxLayout.index(tail);
    return entry <= untilEnd ? entry : untilEnd + entry;
  }

  private boolean fits(int bytes) {
    return tail - headSeen + bytes <= MailboxLayout.CAPACITY_BYTES;
  }

  private Room starve(int needed) {
    starved.set();
    // The consumer frees, fences and looks at the word: it sees the wish or we see the room.
    VarHandle.fullFence();
    if (!refresh()) {
      return Room.BROKEN;
    }
    return fits(needed) ? Room.ENOUGH : Room.FULL;
  }

  private boolean refresh() {
    long head = lane.head();
    if (head < headSeen || head > tail || !MailboxLayout.aligned(head)) {
      return false;
    }
    headSeen = head;
    return true;
  }

  /**
   * Index for an entry of so many bytes; one that would not fit before the end moves to index 0.
   */
  private int padded(int entryBytes) {
    int index = MailboxLayout.index(tail);
    int untilEnd = MailboxLayout.CAPACITY_BYTES - index;
    if (entryBytes <= untilEnd) {
      return index;
    }
    header(lane.mailbox() + index, MailboxLayout.PAD, 0, 0);
    tail += untilEnd;
    return 0;
  }

  private void header(int at, int kind, int length, int immediate) {
    memory.putInt(at + MailboxLayout.KIND, kind);
    memory.putInt(at + MailboxLayout.LENGTH, length);
    memory.putInt(at + MailboxLayout.IMMEDIATE_DATA, immediate);
  }
}
