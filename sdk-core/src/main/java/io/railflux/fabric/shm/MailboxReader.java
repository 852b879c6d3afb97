package io.railflux.fabric.shm;

import java.nio.ByteBuffer;

/**
 * Consumer of a lane's mailbox.
 *
 * <p>Whatever the peer wrote is copied into fields here before it is judged, so it cannot change
 * between check and use.
 */
final class MailboxReader {

  /** What a look found. */
  enum Found {
    NOTHING,
    /** An entry, described by the accessors until {@link #consume()}. */
    ENTRY,
    /** Bytes no honest peer writes. */
    GARBAGE
  }

  private final Lane lane;
  private final ByteBuffer memory;
  private final WakeWord starved;
  private long head;
  private long tailSeen;

  private int kind;
  private int length;
  private int immediate;
  private int entryBytes;

  MailboxReader(Lane lane) {
    this.lane = lane;
    this.memory = lane.memory();
    this.starved = lane.starved();
  }

  /** Looks at the oldest entry. One load of a shared word when there is none. */
  Found peek() {
    // An honest writer pads at most once a lap; a second round means that the first moved to index
    // 0.
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

  int kind() {
    return kind;
  }

  /** Bytes of payload, or for an immediate the bytes written to a region before it. */
  int length() {
    return length;
  }

  int immediate() {
    return immediate;
  }

  /** Copies the payload of the entry found out. */
  void copyPayload(ByteBuffer to, int offset) {
    int from = lane.mailbox() + MailboxLayout.index(head) + MailboxLayout.HEADER_BYTES;
    to.put(offset, memory, from, length);
  }

  /** Gives the entry's room back to the producer. */
  void consume() {
    head += entryBytes;
    lane.publishHead(head);
  }

  /** After a batch of {@link #consume}: whether the producer waits for room and must be rung. */
  boolean claimStarved() {
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
