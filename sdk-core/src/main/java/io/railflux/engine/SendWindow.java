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
  private final int[] offsets;
  private final long[] words;

  /** Frames that were replayed, or need not be: who carries them now. */
  private final Map<Long, Subchannel> moved = new HashMap<>();

  private final SendLog log;
  private final long[] logEnds;

  private long acknowledged;
  private long next;
  private long unacknowledgedBytes;

  /** @param log where entries of {@link #record} with a log end lie; null where rings are mapped */
  SendWindow(int size, long first, SendLog log) {
    this.mask = size - 1;
    this.offsets = new int[size];
    this.words = new long[size];
    this.logEnds = log == null ? null : new long[size];
    this.log = log;
    this.acknowledged = first;
    this.next = first;
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
    return unacknowledgedBytes;
  }

  /** Takes the next number for a frame that is complete but for its publication. */
  void record(OutboundStream owner, Subchannel carrier, ByteBuffer memory, int offset, long word) {
    int i = (int) next & mask;
    offsets[i] = offset;
    words[i] = word;
    runs.add(owner, carrier, memory, next);
    unacknowledgedBytes += FrameHeader.lengthBytes(word);
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

  int offset(long psn) {
    return offsets[(int) psn & mask];
  }

  long word(long psn) {
    return words[(int) psn & mask];
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
    for (long freeing = acknowledged; freeing != psn; freeing++) {
      int i = (int) freeing & mask;
      unacknowledgedBytes -= FrameHeader.lengthBytes(words[i]);
      if (log != null && logEnds[i] != 0) {
        log.release(logEnds[i]);
        logEnds[i] = 0;
      }
    }
    if (!moved.isEmpty()) {
      moved.keySet().removeIf(number -> number - psn < 0);
    }
    acknowledged = psn;
    runs.acknowledge(freed);
    return freed;
  }
}
