package io.railflux.fabric.tcp;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.tcp.frames.FrameWriter;

/**
 * Requests of one endpoint in posting order. Each is posted, sent, taken (took effect at the peer, or failed) and
 * finally reported. A place is free once its request is reported.
 */
final class TcpSendQueue {

  /** Reused place of the queue. */
  static final class Entry {
    final WorkRequest request = new WorkRequest();

    /** Null while the request may succeed. */
    CompletionStatus failure;

    /** End of its payload, as {@link FrameWriter#position}; 0 for copied or absent payloads. */
    long position;

    boolean isAnswered() {
      return switch (request.opcode) {
        case READ, FETCH_ADD, COMPARE_SWAP -> true;
        default -> false;
      };
    }
  }

  /** Places of a new endpoint. An endpoint that sends little needs no more. */
  private static final int INITIAL_DEPTH = 16;

  private final int maxDepth;
  private Entry[] entries;
  private long posted;
  private long sent;
  private long taken;
  private long reported;

  TcpSendQueue(int depth) {
    maxDepth = Integer.highestOneBit(depth);
    entries = new Entry[Math.min(INITIAL_DEPTH, maxDepth)];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new Entry();
    }
  }

  /** Doubles the places. The requests keep theirs in the order of their posting. */
  private void grow() {
    Entry[] grown = new Entry[2 * entries.length];
    for (long index = reported; index != posted; index++) {
      grown[(int) index & grown.length - 1] = at(index);
    }
    for (int i = 0; i < grown.length; i++) {
      grown[i] = grown[i] == null ? new Entry() : grown[i];
    }
    entries = grown;
  }

  boolean isFull() {
    return posted - reported == maxDepth;
  }

  Entry at(long index) {
    return entries[(int) index & entries.length - 1];
  }

  /** Copies the request; {@code failure} is its defect, or null. */
  void post(WorkRequest from, CompletionStatus failure) {
    if (posted - reported == entries.length) {
      grow();
    }
    Entry entry = at(posted++);
    entry.failure = failure;
    WorkRequest to = entry.request;
    to.opcode = from.opcode;
    to.id = from.id;
    to.local = from.local;
    to.localOffset = from.localOffset;
    to.lengthBytes = from.lengthBytes;
    to.remote = from.remote;
    to.remoteOffset = from.remoteOffset;
    to.immediate = from.immediate;
    to.operand = from.operand;
    to.compare = from.compare;
    to.signaled = from.signaled;
    to.fenced = from.fenced;
  }

  /** Returns the next request to send, or null. */
  Entry nextUnsent() {
    return sent == posted ? null : at(sent);
  }

  void sent() {
    sent++;
  }

  long posted() {
    return posted;
  }

  long sentCount() {
    return sent;
  }

  long takenCount() {
    return taken;
  }

  /** Returns the oldest request that has not taken effect, or null. */
  Entry oldestOpen() {
    return taken == posted ? null : at(taken);
  }

  void taken() {
    taken++;
  }

  /** Returns the oldest ended request that is not reported, or null. */
  Entry oldestUnreported() {
    return reported == taken ? null : at(reported);
  }

  void reported() {
    Entry entry = at(reported++);
    // Drops references to memory that the queue no longer borrows.
    entry.request.local = null;
    entry.request.remote = null;
  }
}
