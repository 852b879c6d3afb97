package io.railflux.engine.send;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.Violation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.TreeMap;

/**
 * Messages of one stream that arrived before an earlier message (MR4). They are copied, so that their ring entries
 * are freed at once. Needed only with several rails; the peer's bound of unacknowledged bytes also bounds the
 * copies.
 */
public final class HeldFrames {

  /** A stream that receives messages in order, as the holders of early messages see it. Engine thread only. */
  public interface Receiver {

    /** The number of the next delivered message. */
    long expected();

    /** Whether the stream accepts no more messages. */
    boolean isCut();

    /** Delivers the expected message. The frame is valid during the call. */
    void deliver(ReceivedFrame frame) throws ProtocolViolation;

    /** Skips the expected message, whose time to live has passed. */
    void dropExpired(boolean last);
  }

  /**
   * A received frame copied out of the ring, which waits for earlier frames.
   *
   * @param bytes header and body
   * @param word the validated publish word
   * @param messages number of messages when the frame's numbers were checked
   * @param arrivedNanos engine time of arrival
   */
  public record Copy(ByteBuffer bytes, long word, int messages, long arrivedNanos) {

    public static Copy of(ReceivedFrame frame, long nowNanos) {
      int length = frame.lengthBytes();
      ByteBuffer copy = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
      copy.put(0, frame.buffer(), frame.offset(), length);
      return new Copy(copy, frame.word(), frame.messagesLeft(), nowNanos);
    }

    /** Validates the frame again, because the peer could change the ring during the copy. */
    public void readInto(ReceivedFrame frame) throws ProtocolViolation {
      Violation violation = frame.read(bytes, bytes.asReadOnlyBuffer(), 0, word, bytes.capacity());
      if (violation == null && frame.messagesLeft() != messages) {
        violation = Violation.BATCH_TABLE;
      }
      if (violation != null) {
        throw new ProtocolViolation(violation.text());
      }
    }

    public int sizeBytes() {
      return bytes.capacity();
    }
  }

  /** Bytes that all streams of a peer may hold. */
  public static final class Budget {

    private final long totalBytes;
    private long freeBytes;

    public Budget(long bytes) {
      this.totalBytes = bytes;
      this.freeBytes = bytes;
    }

    public boolean take(int bytes) {
      freeBytes -= bytes;
      return freeBytes >= 0;
    }

    public void giveBack(int bytes) {
      freeBytes += bytes;
    }

    public long takenBytes() {
      return totalBytes - freeBytes;
    }
  }

  private final Budget budget;
  // Ordered by distance, because numbers may wrap.
  private final TreeMap<Long, Copy> bySeq = new TreeMap<>((a, b) -> Long.signum(a - b));
  private final ReceivedFrame reader = new ReceivedFrame();

  public HeldFrames(Budget budget) {
    this.budget = budget;
  }

  /** Copies the frame; returns false if the budget is exceeded. */
  public boolean hold(ReceivedFrame frame, long nowNanos) {
    Copy copy = Copy.of(frame, nowNanos);
    bySeq.put(frame.streamSeq(), copy);
    return budget.take(copy.sizeBytes());
  }

  /** Delivers the messages that follow without a gap. */
  public void deliverTo(Receiver stream, long nowNanos) throws ProtocolViolation {
    while (!bySeq.isEmpty() && !stream.isCut()) {
      long distance = bySeq.firstKey() - stream.expected();
      if (distance < 0) {
        throw new ProtocolViolation("message " + bySeq.firstKey() + " of a stream came twice");
      }
      if (distance > 0) {
        return;
      }
      Copy copy = bySeq.pollFirstEntry().getValue();
      budget.giveBack(copy.sizeBytes());
      copy.readInto(reader);
      long timeToLive = reader.timeToLiveNanos();
      if (timeToLive > 0 && nowNanos - copy.arrivedNanos() > timeToLive) {
        stream.dropExpired(reader.has(FrameFlags.LAST));
      } else {
        stream.deliver(reader);
      }
    }
  }

  public void clear() {
    bySeq.values().forEach(copy -> budget.giveBack(copy.sizeBytes()));
    bySeq.clear();
  }
}
