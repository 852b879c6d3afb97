package io.railflux.engine;

import java.nio.ByteBuffer;

/**
 * The unacknowledged frames of one peer by sequence number: where each lies, who it belongs to and
 * which subchannel carries it. Numbers may wrap.
 */
final class SendWindow {

  private final int mask;
  private final OutboundStream[] owners;
  private final Subchannel[] carriers;
  private final ByteBuffer[] memories;
  private final int[] offsets;
  private final long[] words;
  private final long[] logEnds;
  private final SendLog log;
  private long acknowledged;
  private long next;
  private long unacknowledgedBytes;

  /** @param log where entries of {@link #record} with a log end lie; null where rings are mapped */
  SendWindow(int size, long first, SendLog log) {
    this.mask = size - 1;
    this.owners = new OutboundStream[size];
    this.carriers = new Subchannel[size];
    this.memories = new ByteBuffer[size];
    this.offsets = new int[size];
    this.words = new long[size];
    this.logEnds = new long[size];
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
    owners[i] = owner;
    carriers[i] = carrier;
    memories[i] = memory;
    offsets[i] = offset;
    words[i] = word;
    logEnds[i] = 0;
    unacknowledgedBytes += io.railflux.wire.FrameHeader.lengthBytes(word);
    next++;
  }

  /** The frame recorded last lies in the log up to there. */
  void recordLogEnd(long logEnd) {
    logEnds[(int) (next - 1) & mask] = logEnd;
  }

  Subchannel carrier(long psn) {
    return carriers[(int) psn & mask];
  }

  /** null: the peer has it, though earlier ones are missing. */
  void carrier(long psn, Subchannel carrier) {
    carriers[(int) psn & mask] = carrier;
  }

  ByteBuffer memory(long psn) {
    return memories[(int) psn & mask];
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
    while (acknowledged != psn) {
      int i = (int) acknowledged & mask;
      OutboundStream owner = owners[i];
      int run = 0;
      do {
        free(i);
        run++;
        acknowledged++;
        i = (int) acknowledged & mask;
      } while (acknowledged != psn && owners[i] == owner);
      if (owner != null) {
        owner.onAcknowledged(run);
      }
    }
    return freed;
  }

  private void free(int i) {
    owners[i] = null;
    carriers[i] = null;
    memories[i] = null;
    unacknowledgedBytes -= io.railflux.wire.FrameHeader.lengthBytes(words[i]);
    if (logEnds[i] != 0) {
      log.release(logEnds[i]);
    }
  }
}
