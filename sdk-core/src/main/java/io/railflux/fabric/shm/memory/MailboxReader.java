package io.railflux.fabric.shm.memory;

import java.nio.ByteBuffer;

/**
 * Consumer of a mailbox.
 *
 * <p>Bytes of the peer are copied into fields before validation, so that they cannot change between check and use.
 */
public final class MailboxReader {

  /** Result of a poll. */
  public enum Found {
    NOTHING,
    /** An entry, described by the accessors until {@link #consume()}. */
    ENTRY,
    /** Bytes that violate the layout. */
    GARBAGE
  }

  private final ShmLane lane;
  private final ByteBuffer memory;
  private final WakeWord starved;
  private long head;
  private long tailSeen;

  private int kind;
  private int length;
  private int immediate;
  private int entryBytes;

  public MailboxReader(ShmLane lane) {
    this.lane = lane;
    this.memory = lane.memory();
    this.starved = lane.starved();
  }

  /** Polls the oldest entry, with one load of a shared word if there is none. */
  public Found peek() {
    // An honest writer pads at most once per lap; a second padding follows index 0.
    for (int round = 0; round < 2; round++) {
      if (head == tailSeen && !refresh()) {
        return Found.GARBAGE;
      }
      if (head == tailSeen) {
        return Found.NOTHING;
      }
      loadHeader();
      if (kind != MailboxLayout.PAD) {
        return valid() ? Found.ENTRY : Found.GARBAGE;
      }
      if (!skipPadding()) {
        return Found.GARBAGE;
      }
    }
    return Found.NOTHING;
  }

  public int kind() {
    return kind;
  }

  /** Returns the bytes of payload; for an immediate the bytes written to a region. */
  public int length() {
    return length;
  }

  public int immediate() {
    return immediate;
  }

  /** Copies the payload of the entry. */
  public void copyPayload(ByteBuffer to, int offset) {
    int from = lane.mailbox() + MailboxLayout.index(head) + MailboxLayout.HEADER_BYTES;
    to.put(offset, memory, from, length);
  }

  /** Returns the room of the entry to the producer. */
  public void consume() {
    head += entryBytes;
    lane.publishHead(head);
  }

  /** Whether the producer waits for room and must be rung. Called after a batch of {@link #consume}. */
  public boolean claimStarved() {
    return starved.claim();
  }

  private boolean refresh() {
    long tail = lane.tail();
    long unread = tail - head;
    if (unread < 0 || unread > MailboxLayout.CAPACITY_BYTES || !MailboxLayout.aligned(tail)) {
      return false;
    }
    tailSeen = tail;
    return true;
  }

  private void loadHeader() {
    int at = lane.mailbox() + MailboxLayout.index(head);
    kind = memory.getInt(at + MailboxLayout.KIND);
    length = memory.getInt(at + MailboxLayout.LENGTH);
    immediate = memory.getInt(at + MailboxLayout.IMMEDIATE_DATA);
  }

  private boolean valid() {
    if (length < 0 || (kind != MailboxLayout.SEND && kind != MailboxLayout.IMMEDIATE)) {
      return false;
    }
    if (kind == MailboxLayout.SEND && length > MailboxLayout.MAX_PAYLOAD_BYTES) {
      return false;
    }
    entryBytes = MailboxLayout.entryBytes(kind == MailboxLayout.SEND ? length : 0);
    int untilEnd = MailboxLayout.CAPACITY_BYTES - MailboxLayout.index(head);
    return entryBytes <= untilEnd && entryBytes <= tailSeen - head;
  }

  private boolean skipPadding() {
    int untilEnd = MailboxLayout.CAPACITY_BYTES - MailboxLayout.index(head);
    if (untilEnd == MailboxLayout.CAPACITY_BYTES || untilEnd > tailSeen - head) {
      return false;
    }
    head += untilEnd;
    return true;
  }
}
