package io.railflux.engine.send;

import io.railflux.engine.path.Subchannel;
import io.railflux.engine.ring.SendLog;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The unacknowledged frames of one peer by sequence number: their memory, owner and carrying subchannel. Numbers
 * may wrap.
 */
public final class SendWindow {

  /** Numbers of a new session. A pair of peers that talks little needs no more, so that many quiet peers take little memory. */
  private static final int INITIAL_SIZE = 32;

  private final int maxSize;
  private int mask;
  private final FrameRuns runs = new FrameRuns();

  // Two adjacent words of each frame: its publish word, and its offset above the total bytes up to
  // its end. The total counts from the start of the session and may wrap.
  private long[] frames;

  /** Items of all frames up to each frame since the session began, which may wrap. */
  private int[] itemsUpTo;

  /** Current subchannel of frames that were replayed or need no replay. */
  private final Map<Long, Subchannel> moved = new HashMap<>();

  private final SendLog log;
  private long[] logEnds;

  private long acknowledged;
  private long next;
  private int recordedBytes;
  private int recordedItems;
  private int acknowledgedBytes;

  /**
   * Creates an empty window.
   *
   * @param maxSize maximum number of frames in flight, a power of two
   * @param log log of entries that {@link #record} with a log end describes; null if rings are mapped
   */
  public SendWindow(int maxSize, long first, SendLog log) {
    int size = Math.min(INITIAL_SIZE, maxSize);
    this.maxSize = maxSize;
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

  public long next() {
    return next;
  }

  /** All numbers before this number were acknowledged. */
  public long acknowledged() {
    return acknowledged;
  }

  public int inFlight() {
    return (int) (next - acknowledged);
  }

  int size() {
    return maxSize;
  }

  /** Doubles the arrays. The frames in flight keep their numbers. */
  private void grow() {
    int oldMask = mask;
    long[] oldFrames = frames;
    int[] oldItems = itemsUpTo;
    long[] oldLogEnds = logEnds;
    int size = 2 * (oldMask + 1);
    mask = size - 1;
    frames = new long[2 * size];
    itemsUpTo = new int[size];
    logEnds = oldLogEnds == null ? null : new long[size];
    for (long psn = acknowledged; psn != next; psn++) {
      int from = (int) psn & oldMask;
      int to = (int) psn & mask;
      frames[2 * to] = oldFrames[2 * from];
      frames[2 * to + 1] = oldFrames[2 * from + 1];
      itemsUpTo[to] = oldItems[from];
      if (oldLogEnds != null) {
        logEnds[to] = oldLogEnds[from];
      }
    }
  }

  long unacknowledgedBytes() {
    return Integer.toUnsignedLong(recordedBytes - acknowledgedBytes);
  }

  /**
   * Takes the next number for a frame that is complete except for its publication.
   *
   * @param items items that its owner counts: messages; the end frame is one item
   */
  void record(
      FrameOwner owner, int items, Subchannel carrier, ByteBuffer memory, int offset, long word) {
    if (inFlight() > mask) {
      grow();
    }
    recordedBytes += FrameHeader.lengthBytes(word);
    int i = index(next);
    frames[i] = word;
    frames[i + 1] = (long) offset << 32 | (recordedBytes & 0xFFFF_FFFFL);
    runs.add(owner, carrier, memory, next, recordedItems);
    recordedItems += items;
    itemsUpTo[(int) next & mask] = recordedItems;
    next++;
  }

  /** Sets the end of the last recorded frame in the log. */
  void recordLogEnd(long logEnd) {
    logEnds[(int) (next - 1) & mask] = logEnd;
  }

  /** Returns the subchannel of the frame; null if the peer has the frame, although earlier ones are missing. */
  public Subchannel carrier(long psn) {
    return moved.containsKey(psn) ? moved.get(psn) : runs.find(psn).carrier();
  }

  /** Sets the result of {@link #carrier(long)}. */
  public void carrier(long psn, Subchannel carrier) {
    moved.put(psn, carrier);
  }

  /** Ends the window with the channel: frames are no longer accessible, but acknowledgements are still reported. */
  void end() {
    runs.end();
    moved.clear();
    if (log != null) {
      log.close();
    }
  }

  ByteBuffer memory(long psn) {
    return runs.find(psn).memory();
  }

  /** Whether the memory holds any unacknowledged frame. */
  public boolean isIn(ByteBuffer memory) {
    return runs.areIn(memory);
  }

  /**
   * Moves frames from rings into the log, in the same order. Returns false, without effect, if {@code reserveBytes}
   * would not stay free.
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

  /** Moves all frames into another log. Returns false, without effect, if {@code reserveBytes} would not stay free. */
  boolean continueIn(ByteBuffer memory, int reserveBytes) {
    if (slotBytes() + reserveBytes > memory.capacity()) {
      return false;
    }
    log.continueIn(memory);
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
   * Acknowledges all frames before {@code psn}, which are in the peer's memory. Reports once to each stream per run
   * of its frames. Returns the number of freed frames.
   */
  public int acknowledge(long psn) {
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
      // Continues with the next run.
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
