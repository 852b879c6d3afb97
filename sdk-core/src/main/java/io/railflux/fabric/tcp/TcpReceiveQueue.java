package io.railflux.fabric.tcp;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.tcp.frames.TcpLocalMemory;

/** Posted receives of one endpoint in order: posted, filled, reported. */
final class TcpReceiveQueue {

  /** Reused place of the queue. */
  static final class Entry {
    long id;
    TcpLocalMemory memory;
    int offset;
    int capacityBytes;
    private Opcode opcode;
    private CompletionStatus status;
    private int lengthBytes;
    private int immediate;

    Completion toCompletion(Completion completion) {
      return completion.set(id, opcode, status, lengthBytes, immediate);
    }
  }

  private static final int REFUSED = -1;

  private final Entry[] entries;
  private long posted;
  private long filled;
  private long reported;

  TcpReceiveQueue(int depth) {
    entries = new Entry[Integer.highestOneBit(depth)];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new Entry();
    }
  }

  private Entry at(long index) {
    return entries[(int) index & entries.length - 1];
  }

  boolean isFull() {
    return posted - reported == entries.length;
  }

  void post(long id, TcpLocalMemory memory, int offset, int capacityBytes) {
    Entry entry = at(posted++);
    entry.id = id;
    entry.memory = memory;
    entry.offset = offset;
    entry.capacityBytes = capacityBytes;
  }

  /** Adds an invalid receive, which fails in its turn. */
  void refuse(long id) {
    post(id, null, 0, REFUSED);
  }

  /** Returns the oldest receive without a message, or null. */
  Entry next() {
    return filled == posted ? null : at(filled);
  }

  void fill(Opcode opcode, CompletionStatus status, int lengthBytes, int immediate) {
    Entry entry = at(filled++);
    entry.opcode = opcode;
    entry.status = status;
    entry.lengthBytes = lengthBytes;
    entry.immediate = immediate;
  }

  /** Returns the oldest ended receive that is not reported, or null. */
  Entry oldestUnreported() {
    return reported == filled ? null : at(reported);
  }

  void reported() {
    at(reported++).memory = null;
  }

  /** Ends the receives without a message. */
  void flush() {
    while (filled != posted) {
      boolean refused = at(filled).capacityBytes == REFUSED;
      fill(
          Opcode.RECEIVE,
          refused ? CompletionStatus.LOCAL_PROTECTION : CompletionStatus.FLUSHED,
          0,
          0);
    }
  }
}
