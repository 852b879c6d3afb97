package io.railflux.engine;

import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.Violation;
import java.nio.ByteBuffer;

/**
 * The ring this node granted a peer. Arrival is found by polling the publish word of the next entry
 * (CH1). What the peer wrote is hostile until validated: headers are copied before they are checked.
 */
final class IncomingRing {

  /** Takes the frames of a ring, in order. */
  interface FrameHandler {

    /** The frame is valid during the call. Returns false to stop polling (the peer is at fault). */
    boolean onFrame(ReceivedFrame frame);
  }

  private final ByteBuffer memory;

  // For decoders, which set position and limit and must not write.
  private final ByteBuffer view;
  private final int size;
  private final boolean announced;
  private final FrameOpener opener;
  private final ReceivedFrame frame = new ReceivedFrame();
  private long consumed;
  private long announcedUpTo;
  private boolean more;
  private String violation;
  private boolean forged;
  private boolean shared;

  // Of the last frame: the next one presumably takes as many lines.
  private boolean tookTwoLines;

  /** What was read only to have its line here; stored, so that the read is not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private long fetched;

  /** @param announced arrival is told by immediate data, publish words alone prove nothing (D8) */
  IncomingRing(ByteBuffer memory, int size, boolean announced) {
    this(memory, size, announced, null);
  }

  /** @param opener of a ring whose frames are sealed; else null */
  IncomingRing(ByteBuffer memory, int size, boolean announced, FrameOpener opener) {
    this.memory = memory;
    this.view = memory.asReadOnlyBuffer();
    this.size = size;
    this.announced = announced;
    this.opener = opener;
  }

  /** The peer's processor writes into it, and has the lines that this one reads. */
  void share() {
    shared = true;
  }

  /** Bytes consumed since the ring began: the credit position to tell the peer. */
  long consumed() {
    return consumed;
  }

  /** Whether another frame follows the one that is being handled. */
  boolean hasMore() {
    return more;
  }

  /** What the peer did wrong, or null. */
  String violation() {
    return violation;
  }

  /**
   * Whether something lies there that the peer did not seal. It may be anybody's, so it says nothing
   * about the peer; from there on nothing is read any more.
   */
  boolean isForged() {
    return forged;
  }

  /**
   * Whether something lies where the next entry begins. Who waits for a short message asks for its second line
   * together with the first: else that comes when it is read, after another way between the processors.
   */
  boolean hasNext() {
    if (tookTwoLines) {
      fetched = memory.getLong((int) consumed + FrameHeader.SLOT_BYTES & size - 1);
    }
    return FrameHeader.peek(memory, (int) consumed & size - 1) != 0;
  }

  /** Whether {@link #poll} finds something: that lies there, and the peer said so where it has to. */
  boolean hasFrame() {
    return hasNext() && isAnnounced();
  }

  void announce(int slots) {
    announcedUpTo += (long) slots * FrameHeader.SLOT_BYTES;
  }

  /** Handles frames until they hold {@code limit} messages; returns how many messages and other frames. */
  int poll(FrameHandler handler, int limit) {
    int count = 0;
    int offset = (int) consumed & size - 1;
    long word = FrameHeader.peek(memory, offset);
    while (word != 0 && count < limit && !forged && isAnnounced()) {
      int slotBytes = slotBytes(word, offset);
      if (slotBytes == 0) {
        break;
      }
      // Looked up before the frame is handled: what it has to wait for arrives meanwhile. A
      // frame as large as the ring is its own next.
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

  /** What the frame takes; 0 when that is more than there is. */
  private int slotBytes(long word, int offset) {
    int length = FrameHeader.lengthBytes(word);
    if (length <= 0 || length > size - offset) {
      forged = opener != null;
      violation =
          forged ? null : "frame of " + length + " B at " + offset + " of a ring of " + size + " B";
      return 0;
    }
    return FrameHeader.slotBytes(length);
  }

  /** Returns how many messages the frame holds, 1 for other frames; 0 when that was the last. */
  private int handle(FrameHandler handler, int offset, long word) {
    return opener == null
        ? handlePlain(handler, offset, word)
        : handleSealed(handler, offset, word);
  }

  private int handlePlain(FrameHandler handler, int offset, long word) {
    if (shared && FrameHeader.type(word) == FrameType.BATCH) {
      fetched = fetch(offset, FrameHeader.lengthBytes(word));
    }
    Violation wrong = frame.read(memory, view, offset, word, size - offset);
    if (wrong != null) {
      violation = wrong.text();
      return 0;
    }
    int messages = frame.messagesLeft();
    return frame.type() == FrameType.PADDING || handler.onFrame(frame) ? messages : 0;
  }

  /**
   * Reads a word of each line. Lines that another processor wrote are fetched side by side here; one
   * after the other, with a message's handling between them, took a tenth of the rate.
   */
  private long fetch(int offset, int lengthBytes) {
    long sum = 0;
    for (int at = offset; at < offset + lengthBytes; at += FrameHeader.SLOT_BYTES) {
      sum += memory.getLong(at);
    }
    return sum;
  }

  /** Padding holds nothing that could be sealed: whoever invents some only makes frames get lost. */
  private int handleSealed(FrameHandler handler, int offset, long word) {
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
      violation = wrong.text();
      return 0;
    }
    int messages = frame.messagesLeft();
    return handler.onFrame(frame) ? messages : 0;
  }
}
