package io.railflux.engine.ring;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.seal.SealedFrames;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.Violation;
import java.nio.ByteBuffer;

/**
 * Ring that this node granted a peer. The reader polls the publish word of the next entry (CH1). Content is
 * untrusted until validated: headers are copied before they are checked.
 */
public final class IncomingRing {

  /** Handles the frames of a ring, in order. */
  public interface FrameHandler {

    /**
     * Handles a frame, which is valid during the call. Returns false to stop polling: the frame stays in the ring.
     *
     * @throws ProtocolViolation if the frame violates the protocol
     */
    boolean onFrame(ReceivedFrame frame) throws ProtocolViolation;
  }

  private ByteBuffer memory;

  // For decoders, which set position and limit and must not write.
  private ByteBuffer view;
  private int size;
  private final boolean announced;
  private final SealedFrames.Opener opener;
  private final ReceivedFrame frame = new ReceivedFrame();
  private long consumed;

  // Position of the first entry of the present ring.
  private long base;

  private long announcedUpTo;
  private boolean ended;
  private boolean more;
  private boolean forged;
  private boolean shared;

  // The last frame took two lines; the next one probably does as well.
  private boolean tookTwoLines;

  /** Result of a prefetch. The store prevents the JIT compiler from removing the read. */
  @SuppressWarnings("UnusedVariable")
  private long fetched;

  /** @param announced immediate data announces arrival; publish words alone prove nothing (D8) */
  public IncomingRing(ByteBuffer memory, int size, boolean announced) {
    this(memory, size, announced, null);
  }

  /** @param opener opens sealed frames; null for plain frames */
  public IncomingRing(ByteBuffer memory, int size, boolean announced, SealedFrames.Opener opener) {
    this.memory = memory;
    this.view = memory.asReadOnlyBuffer();
    this.size = size;
    this.announced = announced;
    this.opener = opener;
  }

  /** The peer's processor writes the ring directly and owns the lines that this side reads. */
  public void share() {
    shared = true;
  }

  /** Whether the peer left the ring: its last frame was read. The ring stays empty until {@link #continueIn}. */
  public boolean hasEnded() {
    return ended;
  }

  /** Continues in another ring, which is zeroed. Positions continue, so that credit stays absolute (D6). */
  public void continueIn(ByteBuffer newMemory, int newSize) {
    memory = newMemory;
    view = newMemory.asReadOnlyBuffer();
    size = newSize;
    base = consumed;
    ended = false;
    tookTwoLines = false;
  }

  /** Size of the present ring in bytes. */
  public int size() {
    return size;
  }

  private int offset() {
    return (int) (consumed - base) & size - 1;
  }

  /** Bytes consumed since the first ring began: the credit position for the peer. */
  public long consumed() {
    return consumed;
  }

  /** Whether another frame follows the current one. */
  public boolean hasMore() {
    return more;
  }

  /**
   * Whether the ring holds a frame that the peer did not seal. Its author is unknown, so this is no violation of
   * the peer. Reading stops at this frame.
   */
  public boolean isForged() {
    return forged;
  }

  /**
   * Whether the ring holds a next entry. A wait for a short message requests its second line together with the
   * first, which saves one transfer between processors.
   */
  public boolean hasNext() {
    if (tookTwoLines) {
      fetched = memory.getLong(offset() + FrameHeader.SLOT_BYTES & size - 1);
    }
    return !ended && FrameHeader.peek(memory, offset()) != 0;
  }

  /** Whether {@link #poll} finds a frame: the entry is present and, where required, announced. */
  public boolean hasFrame() {
    return hasNext() && isAnnounced();
  }

  public void announce(int slots) {
    announcedUpTo += (long) slots * FrameHeader.SLOT_BYTES;
  }

  /**
   * Handles frames until they hold {@code limit} messages; returns the number of messages and other frames.
   *
   * @throws ProtocolViolation if the next frame violates the protocol; the frames before it are consumed
   */
  public int poll(FrameHandler handler, int limit) throws ProtocolViolation {
    int count = 0;
    int offset = offset();
    long word = FrameHeader.peek(memory, offset);
    while (word != 0 && count < limit && !forged && !ended && isAnnounced()) {
      int slotBytes = slotBytes(word, offset);
      if (slotBytes == 0) {
        break;
      }
      // Read before the frame is handled, so that the line arrives meanwhile. A frame as large as
      // the ring is its own successor.
      int next = offset + slotBytes & size - 1;
      long nextWord = next == offset ? 0 : FrameHeader.peek(memory, next);
      more = nextWord != 0;
      int messages = handle(handler, offset, word);
      if (messages == 0) {
        break;
      }
      FrameHeader.clearHeads(memory, offset, slotBytes);
      consumed += slotBytes;
      tookTwoLines = slotBytes == 2 * FrameHeader.SLOT_BYTES;
      count += messages;
      offset = next;
      word = nextWord;
    }
    return count;
  }

  private boolean isAnnounced() {
    return !announced || consumed - announcedUpTo < 0;
  }

  /** Returns the slot bytes of the frame; 0 if a forged frame exceeds the available bytes. */
  private int slotBytes(long word, int offset) throws ProtocolViolation {
    int length = FrameHeader.lengthBytes(word);
    if (length > 0 && length <= size - offset) {
      return FrameHeader.slotBytes(length);
    }
    if (opener == null) {
      throw new ProtocolViolation(
          "frame of " + length + " B at " + offset + " of a ring of " + size + " B");
    }
    forged = true;
    return 0;
  }

  /** Returns the number of messages in the frame, 1 for other frames; 0 to stop. */
  private int handle(FrameHandler handler, int offset, long word) throws ProtocolViolation {
    return opener == null
        ? handlePlain(handler, offset, word)
        : handleSealed(handler, offset, word);
  }

  private int handlePlain(FrameHandler handler, int offset, long word) throws ProtocolViolation {
    if (shared && FrameHeader.type(word) == FrameType.BATCH) {
      fetched = fetch(offset, FrameHeader.lengthBytes(word));
    }
    Violation wrong = frame.read(memory, view, offset, word, size - offset);
    if (wrong != null) {
      throw new ProtocolViolation(wrong.text());
    }
    return frame.type() == FrameType.PADDING ? 1 : handle(handler);
  }

  /** Returns the number of messages in the frame that was read, 1 for other frames; 0 to stop. */
  private int handle(FrameHandler handler) throws ProtocolViolation {
    if (frame.type() == FrameType.RING_SWITCH) {
      ended = true;
      return 1;
    }
    int messages = frame.messagesLeft();
    return handler.onFrame(frame) ? messages : 0;
  }

  /**
   * Reads a word of each line, so that lines written by another processor are fetched in parallel. Sequential
   * fetches between messages cost a tenth of the rate.
   */
  private long fetch(int offset, int lengthBytes) {
    long sum = 0;
    for (int at = offset; at < offset + lengthBytes; at += FrameHeader.SLOT_BYTES) {
      sum += memory.getLong(at);
    }
    return sum;
  }

  /** Padding has no content to seal. Forged padding can only lose frames. */
  private int handleSealed(FrameHandler handler, int offset, long word) throws ProtocolViolation {
    if (FrameHeader.type(word) == FrameType.PADDING) {
      forged = FrameHeader.lengthBytes(word) != size - offset;
      return forged ? 0 : 1;
    }
    long plain = opener.open(memory, offset, word);
    if (plain == 0) {
      forged = true;
      return 0;
    }
    Violation wrong =
        frame.read(opener.opened(), opener.view(), 0, plain, FrameHeader.lengthBytes(plain));
    if (wrong != null) {
      throw new ProtocolViolation(wrong.text());
    }
    return handle(handler);
  }
}
