package io.railflux.engine;

import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The unacknowledged frames of one peer by sequence number: where each lies, who it belongs to and
 * which subchannel carries it. Numbers may wrap.
 */
final class SendWindow {

  private final int mask;
  private final FrameRuns runs = new FrameRuns();

  // Two of each frame, together for the cache: its publish word; and where it lies, above the
  // bytes of all frames up to and with it since the session began, which may wrap.
  private final long[] frames;

  /** Items of all frames up to and with each since the session began, which may wrap. */
  private final int[] itemsUpTo;

  /** Frames that were replayed, or need not be: who carries them now. */
  private final Map<Long, Subchannel> moved = new HashMap<>();

  private final SendLog log;
  private final long[] logEnds;

  private long acknowledged;
  private long next;
  private int recordedBytes;
  private int recordedItems;
  private int acknowledgedBytes;

  /** @param log where entries of {@link #record} with a log end lie; null where rings are mapped */
  SendWindow(int size, long first, SendLog log) {
    this.mask = size - 1;
    this.frames = new long[2 * size];
    this.itemsUpTo = new int[size];
    this.logEnds = log == null ? null : new long[size];
    this.log = log;
    this.acknowledged = first;
    this.next = first;
  }

  private int index(long psn) {
    return ((int) psn & mask) << 1;
  }

  long next() {
    return next;
  }

  /** All numbers before this one were acknowledged. */
  long acknowledged() {
    return acknowledged;
  }

  int inFlight() {
    return (int) (next - acknowledged);
  }

  int size() {
    return mask + 1;
  }

  long unacknowledgedBytes() {
    return Integer.toUnsignedLong(recordedBytes - acknowledgedBytes);
  }

  /**
   * Takes the next number for a frame that is complete but for its publication.
   *
   * @param items what its owner counts: messages; the frame of its end is one
   */
  void record(
      OutboundStream owner,
      int items,
      Subchannel carrier,
      ByteBuffer memory,
      int offset,
      long word) {
    recordedBytes += FrameHeader.lengthBytes(word);
    int i = index(next);
    frames[i] = word;
    frames[i + 1] = (long) offset << 32 | (recordedBytes & 0xFFFF_FFFFL);
    runs.add(owner, carrier, memory, next, recordedItems);
    recordedItems += items;
    itemsUpTo[(int) next & mask] = recordedItems;
    next++;
  }

  /** The frame recorded last lies in the log up to there. */
  void recordLogEnd(long logEnd) {
    logEnds[(int) (next - 1) & mask] = logEnd;
  }

  /** null: the peer has it, though earlier ones are missing. */
  Subchannel carrier(long psn) {
    return moved.containsKey(psn) ? moved.get(psn) : runs.find(psn).carrier();
  }

  /** As {@link #carrier(long)} tells from now on. */
  void carrier(long psn, Subchannel carrier) {
    moved.put(psn, carrier);
  }

  ByteBuffer memory(long psn) {
    return runs.find(psn).memory();
  }

  /** Whether bytes of unacknowledged frames are in that memory. */
  boolean isIn(ByteBuffer memory) {
    return runs.areIn(memory);
  }

  /**
   * Frames that lie in rings lie in the log afterwards, in the same order. Returns false, and moves nothing,
   * when it would not have {@code reserveBytes} left.
   */
  boolean moveIntoLog(int reserveBytes) {
    if (inFlight() == 0 || (log.isAllocated() && runs.areOnlyIn(log.memory()))) {
      return true;
    }
    if (!log.makeRoomFor(slotBytes() + reserveBytes)) {
      return false;
    }
    for (long psn = acknowledged; psn != next; psn++) {
      moveIntoLog(psn);
    }
    runs.moved(log.memory());
    return true;
  }

  private long slotBytes() {
    long sum = 0;
    for (long psn = acknowledged; psn != next; psn++) {
      sum += FrameHeader.slotBytes(FrameHeader.lengthBytes(word(psn)));
    }
    return sum;
  }

  private void moveIntoLog(long psn) {
    int slotBytes = FrameHeader.slotBytes(FrameHeader.lengthBytes(word(psn)));
    int to = log.claim(slotBytes, 0);
    log.memory().put(to, memory(psn), offset(psn), slotBytes);
    int i = index(psn);
    frames[i + 1] = (long) to << 32 | (frames[i + 1] & 0xFFFF_FFFFL);
    logEnds[(int) psn & mask] = log.commit(to, slotBytes);
  }

  int offset(long psn) {
    return (int) (frames[index(psn) + 1] >>> 32);
  }

  long word(long psn) {
    return frames[index(psn)];
  }

  boolean isValidAck(long psn) {
    return psn - acknowledged >= 0 && next - psn >= 0;
  }

  /**
   * Everything before {@code psn} is in the peer's memory. Tells each stream once per run of its
   * frames. Returns how many frames that freed.
   */
  int acknowledge(long psn) {
    int freed = (int) (psn - acknowledged);
    if (freed == 0) {
      return 0;
    }
    if (log != null) {
      releaseLog(psn);
    }
    if (!moved.isEmpty()) {
      moved.keySet().removeIf(number -> number - psn < 0);
    }
    acknowledgedBytes = (int) frames[index(psn - 1) + 1];
    acknowledged = psn;
    int items = itemsUpTo[(int) (psn - 1) & mask];
    while (runs.acknowledge(psn, items, next, recordedItems)) {
      // The next run.
    }
    return freed;
  }

  private void releaseLog(long psn) {
    for (long freeing = acknowledged; freeing != psn; freeing++) {
      int i = (int) freeing & mask;
      if (logEnds[i] != 0) {
        log.release(logEnds[i]);
        logEnds[i] = 0;
      }
    }
  }
}
