package io.railflux.fabric.shm.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Producer of a mailbox.
 *
 * <p>Its own position is kept here and only published. The position of the peer is validated before use.
 */
public final class MailboxWriter {

  /** Whether an entry fits. */
  public enum Room {
    ENOUGH,
    /** No room; the consumer was requested to ring when there is some. */
    FULL,
    /** The position of the peer is impossible. */
    BROKEN
  }

  private final ShmLane lane;
  private final ByteBuffer memory;
  private final WakeWord starved;
  private long tail;
  private long headSeen;

  public MailboxWriter(ShmLane lane) {
    this.lane = lane;
    this.memory = lane.memory();
    this.starved = lane.starved();
  }

  /** Must be called before {@link #put}. Usually needs no access to the cache line of the peer. */
  public Room room(int payloadBytes) {
    int needed = needed(payloadBytes);
    if (fits(needed)) {
      return Room.ENOUGH;
    }
    if (!refresh()) {
      return Room.BROKEN;
    }
    return fits(needed) ? Room.ENOUGH : starve(needed);
  }

  /** Adds an entry, which is visible on return. {@link #room} must have succeeded. */
  public void put(int kind, int immediate, int length, ByteBuffer payload, int offset) {
    int payloadBytes = kind == MailboxLayout.SEND ? length : 0;
    int at = lane.mailbox() + padded(MailboxLayout.entryBytes(payloadBytes));
    header(at, kind, length, immediate);
    if (payloadBytes > 0) {
      memory.put(at + MailboxLayout.HEADER_BYTES, payload, offset, payloadBytes);
    }
    tail += MailboxLayout.entryBytes(payloadBytes);
    lane.publishTail(tail);
  }

  /** Returns how often this side requested to be rung for room. */
  public int asked() {
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
    // The consumer frees, fences and reads the word: it sees the request, or this side sees the
    // room.
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

  /** Returns the index of an entry; an entry that does not fit before the end moves to index 0. */
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
