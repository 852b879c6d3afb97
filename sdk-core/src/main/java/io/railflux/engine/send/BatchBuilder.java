package io.railflux.engine.send;

import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.pipeline.Encoding;
import io.railflux.pipeline.Filling;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.Slot;
import io.railflux.wire.BatchTable;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;

/**
 * The frame that is open for more messages of one stream. While it is open, each message costs its bytes and a
 * length instead of a frame. It closes before any other claim, and at the end of the turn, the reading or the tasks
 * in which its stream sent. It never waits for later messages. Engine thread only.
 */
public final class BatchBuilder {

  /** Large enough that the frame's overhead is negligible, small enough that the peer reads while this side writes. */
  public static final int MAX_BYTES = 16 << 10;

  private static final int MIN_BYTES = 4 << 10;

  /** Larger messages gain little from a shared frame. */
  public static final int MAX_MESSAGE_BYTES = 1 << 10;

  /** Bytes of a mapped ring fetched at a time: half of it gains less, twice as much gains no more. */
  private static final int FETCHED_BYTES = 1 << 10;

  /** A frame of this size is likely to grow further. */
  private static final int FETCHING_BYTES = 256;

  /** Longer messages have several lines in flight by themselves: 128-byte messages are slower with fetches. */
  private static final int FETCHED_FOR_BYTES = 64;

  private static final int ELSEWHERE = -1;

  private static final int ALONE = FrameFlags.METADATA | FrameFlags.TIME_TO_LIVE;

  private final Slot slot;
  private final short[] lengths = new short[BatchTable.MAX_MESSAGES];
  private final int maxMessageBytes;

  /** Owner of the frame; null if none is open. */
  private FrameOwner owner;

  // Null if no frame is open, or if it lies elsewhere.
  private MappedRingWriter ring;

  // Offsets in the frame's memory: the body, the next message, the end of the encoders' writes, the
  // end of the room, and the first line not fetched (LineFetching).
  private int body;
  private int next;
  private int reached;
  private int limit;
  private int unfetched;
  private int count;

  // Current filling of the frame, and the pending failure of its stream, reported when the filling
  // is over; or null.
  private Filling<?> filling;
  private Throwable givenUp;

  /**
   * Creates the builder of a peer.
   *
   * @param slot claim of the frame
   * @param largestMessageBytes size of the largest message that the peer accepts
   */
  BatchBuilder(Slot slot, int largestMessageBytes) {
    this.slot = slot;
    this.maxMessageBytes = Math.min(MAX_MESSAGE_BYTES, largestMessageBytes);
  }

  /** Whether a message with these flags may share a frame. */
  boolean takes(int newFlags, int maxBodyBytes) {
    return (newFlags & ALONE) == 0 && maxBodyBytes <= maxMessageBytes;
  }

  /**
   * Begins with a message whose place was claimed.
   *
   * @param newRing ring of the frame; null if it lies in the log
   * @param newLimit end of the bytes to which the frame may grow
   */
  void open(
      FrameOwner newOwner,
      MappedRingWriter newRing,
      int bodyOffset,
      int maxBodyBytes,
      int newLimit) {
    owner = newOwner;
    ring = newRing;
    body = bodyOffset;
    next = bodyOffset;
    reached = bodyOffset + maxBodyBytes;
    limit = newLimit;
    unfetched = newRing != null && newOwner.fetchesLines()
        ? bodyOffset + FETCHING_BYTES
        : Integer.MAX_VALUE;
    count = 0;
  }

  /** Largest frame for a ring of this size, so that many frames fit. */
  static int maxBytes(long ringBytes) {
    return (int) Math.max(MIN_BYTES, Math.min(MAX_BYTES, ringBytes / 16));
  }

  boolean isOpen() {
    return owner != null;
  }

  FrameOwner owner() {
    return owner;
  }

  int count() {
    return count;
  }

  /**
   * Claims room for another message that may share a frame.
   *
   * @return the entry; null if the message needs another frame, or while this frame is being written
   */
  public Slot claim(FrameOwner claimant, int maxBodyBytes) {
    int end = next + maxBodyBytes;
    if (claimant != owner
        || slot.encoding
        || maxBodyBytes > maxMessageBytes
        || isBeyond(end, count + 1)
        || count == BatchTable.MAX_MESSAGES) {
      return null;
    }
    reach(end, maxBodyBytes);
    slot.bodyOffset = next;
    return slot;
  }

  /** Whether {@code messages} messages, the last of which may extend to {@code end}, exceed the frame. */
  private boolean isBeyond(int end, int messages) {
    return BatchTable.paddedBytes(end) + BatchTable.bytes(messages) > limit;
  }

  /** An encoder may write up to {@code end}; fetches the lines if that pays. */
  private void reach(int end, int maxBodyBytes) {
    if (end > reached) {
      reached = end;
    }
    if (end > unfetched) {
      fetch(end, maxBodyBytes);
    }
  }

  private void fetch(int end, int maxBodyBytes) {
    int from = FrameHeader.slotBytes(end);
    int to = Math.min(from + FETCHED_BYTES, limit & -FrameHeader.SLOT_BYTES);
    if (maxBodyBytes <= FETCHED_FOR_BYTES && to > from) {
      ring.fetch(from, to - from);
      unfetched = to;
    } else {
      unfetched = Integer.MAX_VALUE;
    }
  }

  /** As {@link SlotSource#fill}, within the budget of the claimant: each message costs its bytes and a slot. */
  public <T> int fill(
      FrameOwner claimant, Filling<T> values, Outgoing<T> outgoing, long most, long budgetBytes) {
    if (claimant != owner || slot.encoding || values.isRefused()) {
      return 0;
    }
    int before = count;
    slot.encoding = true;
    filling = values;
    try {
      addAll(
          values,
          outgoing,
          before + (int) Math.min(BatchTable.MAX_MESSAGES - before, most),
          budgetBytes);
    } catch (Throwable t) {
      values.fail(t);
    }
    filling = null;
    slot.encoding = false;
    int added = count - before;
    if (values.isRefused()) {
      claimant.endTurn();
    }
    if (givenUp != null) {
      Throwable reason = givenUp;
      givenUp = null;
      claimant.onError(reason);
    }
    return added;
  }

  /** Source or codec were refused room. If they fill a frame, they receive room when the filling ends. */
  void refused() {
    if (filling != null) {
      filling.refuse();
    }
  }

  /** Whether a stream that its source or codec ended fails only after the messages in its frame are counted. */
  public boolean endsLater(FrameOwner stream, Throwable reason) {
    boolean later = filling != null && owner == stream;
    if (later && givenUp == null) {
      givenUp = reason;
    }
    return later;
  }

  /**
   * Keeps the values that change with each message in local variables, because their stores took a sixth of the
   * time of short messages (docs/benchmarks.md). Only source and codec could observe the difference: they see the
   * counts from before the filling.
   */
  private <T> void addAll(Filling<T> values, Outgoing<T> outgoing, int until, long budgetBytes) {
    int held = count;
    int at = next;
    long budget = budgetBytes;
    T value = null;
    try {
      while (held < until && budget > 0 && !values.isInterrupted()) {
        value = values.next();
        if (value == null) {
          values.exhaust();
          break;
        }
        if (values.isInterrupted() && values.isOver()) {
          break;
        }
        int bytes = encode(value, outgoing, at, held + 1);
        if (bytes == ELSEWHERE || (values.isInterrupted() && values.isOver())) {
          break;
        }
        value = null;
        lengths[held++] = (short) bytes;
        at += BatchTable.paddedBytes(bytes);
        budget -= bytes + FrameHeader.SLOT_BYTES;
      }
    } finally {
      owner.sent(held - count, budgetBytes - budget);
      count = held;
      next = at;
      values.leave(value);
    }
  }

  /**
   * Encodes a value at the place of the frame's next message. It is a separate method that HotSpot calls if the
   * codec is long: within the loop it runs out of registers (docs/benchmarks.md).
   *
   * @param messages number of messages in the frame, including this one
   * @return size in bytes, or {@link #ELSEWHERE} if the value does not belong there, which {@link Filling#needs}
   *     records
   */
  private <T> int encode(T value, Outgoing<T> outgoing, int at, int messages) {
    int maxBytes = Encoding.requireSize(outgoing, outgoing.maxBodyBytes(value));
    int end = at + maxBytes;
    if (maxBytes > maxMessageBytes || isBeyond(end, messages) || !outgoing.isBare(value)) {
      filling.needs(maxBytes);
      return ELSEWHERE;
    }
    reach(end, maxBytes);
    return Encoding.body(outgoing, value, slot.buffer, at, maxBytes);
  }

  /** Adds the message of the last claim, which is complete. */
  public void add(int bytes) {
    lengths[count++] = (short) bytes;
    next += BatchTable.paddedBytes(bytes);
  }

  /** Returns the end of the body; behind several messages it writes their table. */
  int finish(ByteBuffer frames) {
    if (count == 1) {
      return body + Short.toUnsignedInt(lengths[0]);
    }
    return BatchTable.put(frames, next, lengths, count);
  }

  /** End of the encoders' writes. */
  int reached() {
    return reached;
  }

  /** Drops the references to the stream and to the ring, whose memory would otherwise stay mapped. */
  void close() {
    owner = null;
    ring = null;
  }
}
