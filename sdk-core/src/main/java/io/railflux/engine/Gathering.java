package io.railflux.engine;

import io.railflux.pipeline.Encoding;
import io.railflux.pipeline.Filling;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.Slot;
import io.railflux.wire.BatchTable;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;

/**
 * The frame that is open for more messages of one stream: as long as it is, each costs its bytes and a
 * length instead of a frame of its own. It is closed before anything else is claimed, and when the turn,
 * the reading or the tasks are over in which its stream sent: it never waits for what may come later.
 * Engine thread only.
 */
final class Gathering {

  /** Large enough that the frame hardly counts, small enough that the peer reads while this side writes. */
  static final int MAX_BYTES = 16 << 10;

  private static final int LEAST_BYTES = 4 << 10;

  /** What is larger gains little by company. */
  static final int MAX_MESSAGE_BYTES = 1 << 10;

  /** Of a mapped ring, at a time: half of it gains less, twice as much no more. */
  private static final int FETCHED_BYTES = 1 << 10;

  /** A frame that has grown so far is likely to go on. */
  private static final int FETCHING_BYTES = 256;

  /** What is longer has several lines under way by itself: 128 B go more slowly with it. */
  private static final int FETCHED_FOR_BYTES = 64;

  private static final int ELSEWHERE = -1;

  private static final int ALONE = FrameFlags.METADATA | FrameFlags.TIME_TO_LIVE;

  private final Slot slot;
  private final short[] lengths = new short[BatchTable.MAX_MESSAGES];
  private final int maxMessageBytes;

  /** Whose it is; null when none is open. */
  private OutboundStream owner;

  // Null when the frame lies elsewhere.
  private MappedRingWriter ring;

  // Offsets in the memory of the frame: where the body begins, where the next message does, up to
  // where encoders wrote, how far they may, and from where on no line was fetched (LineFetching).
  private int body;
  private int next;
  private int reached;
  private int limit;
  private int unfetched;
  private int count;

  // What the frame is being filled with, and why its stream, ended by that, ends when it is over;
  // or null.
  private Filling<?> filling;
  private Throwable givenUp;

  /**
   * One for each peer.
   *
   * @param slot what is claimed of the frame
   * @param largestMessageBytes what the peer accepts at all
   */
  Gathering(Slot slot, int largestMessageBytes) {
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
   * @param newRing where the frame is, or null when it lies in the log
   * @param newLimit where the bytes end that the frame may grow to
   */
  void open(
      OutboundStream newOwner,
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

  /** What a frame may take of a ring of that size, so that many fit. */
  static int maxBytes(long ringBytes) {
    return (int) Math.max(LEAST_BYTES, Math.min(MAX_BYTES, ringBytes / 16));
  }

  boolean isOpen() {
    return owner != null;
  }

  OutboundStream owner() {
    return owner;
  }

  int count() {
    return count;
  }

  /**
   * Room for another message that may share a frame.
   *
   * @return the entry; null when it has to go into another frame, and while this one is being written
   */
  Slot claim(OutboundStream claimant, int maxBodyBytes) {
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

  /** Whether that many messages, the last of which may take up to {@code end}, take more than the frame has. */
  private boolean isBeyond(int end, int messages) {
    return BatchTable.paddedBytes(end) + BatchTable.bytes(messages) > limit;
  }

  /** An encoder may write up to {@code end}, whose lines are fetched if that pays. */
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

  /** As {@link SlotSource#fill}, within what the claimant may send: each message costs its bytes and a slot. */
  <T> int fill(
      OutboundStream claimant,
      Filling<T> values,
      Outgoing<T> outgoing,
      long most,
      long budgetBytes) {
    if (claimant != owner || slot.encoding || values.sends) {
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
      values.failure = t;
    }
    filling = null;
    slot.encoding = false;
    int added = count - before;
    if (values.sends) {
      claimant.endTurn();
    }
    if (givenUp != null) {
      Throwable reason = givenUp;
      givenUp = null;
      claimant.onError(reason);
    }
    return added;
  }

  /** Source or codec were refused room: of who fills a frame they get it when that ends. */
  void refused() {
    if (filling != null) {
      filling.sends = true;
      filling.interrupted = true;
    }
  }

  /** Whether the stream, which source or codec ended, does so when what they put into its frame is counted. */
  boolean endsLater(OutboundStream stream, Throwable reason) {
    boolean later = filling != null && owner == stream;
    if (later && givenUp == null) {
      givenUp = reason;
    }
    return later;
  }

  /**
   * Most of what changes with each message is kept in local variables, as storing it took a sixth of the time of short ones
   * (docs/benchmarks.md). Source and codec alone could look meanwhile: they see the counts of before.
   */
  private <T> void addAll(Filling<T> values, Outgoing<T> outgoing, int until, long budgetBytes) {
    int held = count;
    int at = next;
    long budget = budgetBytes;
    T value = null;
    try {
      while (held < until && budget > 0 && !values.interrupted) {
        value = values.next();
        if (value == null) {
          values.ended = true;
          break;
        }
        if (values.interrupted && values.isOver()) {
          break;
        }
        int bytes = encode(value, outgoing, at, held + 1);
        if (bytes == ELSEWHERE || (values.interrupted && values.isOver())) {
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
      values.left = value;
    }
  }

  /**
   * Puts a value where the frame's next message belongs. A method of its own, which HotSpot calls where the codec is
   * long: within the loop it runs out of registers (docs/benchmarks.md).
   *
   * @param messages that the frame holds then
   * @return its bytes, or {@link #ELSEWHERE} and what it may take in {@link Filling#leftMaxBytes}
   */
  private <T> int encode(T value, Outgoing<T> outgoing, int at, int messages) {
    int maxBytes = Encoding.requireSize(outgoing.maxBodyBytes(value));
    int end = at + maxBytes;
    if (maxBytes > maxMessageBytes || isBeyond(end, messages) || !outgoing.isBare(value)) {
      filling.leftMaxBytes = maxBytes;
      return ELSEWHERE;
    }
    reach(end, maxBytes);
    return Encoding.body(outgoing, value, slot.buffer, at, maxBytes);
  }

  /** The message of the last claim is complete. */
  void add(int bytes) {
    lengths[count++] = (short) bytes;
    next += BatchTable.paddedBytes(bytes);
  }

  /** Returns where the body ends; behind more than one message it writes their table. */
  int finish(ByteBuffer frames) {
    if (count == 1) {
      return body + Short.toUnsignedInt(lengths[0]);
    }
    return BatchTable.put(frames, next, lengths, count);
  }

  /** Up to where encoders wrote. */
  int reached() {
    return reached;
  }

  void close() {
    owner = null;
  }
}
