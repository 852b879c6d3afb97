package io.railflux.fabric.tcp.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Splits the received bytes into headers and payloads, and stores payloads in their targets. It does not interpret
 * frames: its sink decides for each header what follows.
 */
public final class FrameReader {

  /** From this size on a payload is read from the socket into its target without a buffer. */
  public static final int DIRECT_BYTES = 16 * 1024;

  /** Continuation after a header. */
  public enum Next {
    /** A payload follows, for the target set by {@link #expect}; then {@link Sink#onPayload}. */
    PAYLOAD,
    /** No payload follows. */
    HEADER,
    /** The frame cannot be processed yet; {@link #resume} presents it again. */
    WAIT,
    /** The reader stops. */
    STOP
  }

  /** Processes frames. */
  public interface Sink {

    /** The header is at the reader index, which must not move. */
    Next onHeader(ByteBuf header);

    /** The payload is complete in its target. */
    void onPayload();

    /** The target of the payload was closed; the reader stops. */
    void onTargetClosed();

    /**
     * A checksum does not match; the reader stops. A payload below {@link #DIRECT_BYTES} is not in its target.
     *
     * @param what the changed part
     */
    void onCorrupted(String what);
  }

  private final Sink sink;
  private final FrameChecksum checksum;

  /** Size of the checksum behind a payload. */
  private final int trailerBytes;

  private final ByteBuf header;

  /** First word of a payload that arrives in pieces. */
  private final ByteBuf firstWord = Unpooled.wrappedBuffer(new byte[Long.BYTES]).clear();

  private TcpLocalMemory target;
  private int targetStart;
  private int targetOffset;

  /** Missing bytes of the payload and its checksum. */
  private int missing = -1;

  private boolean large;
  private Next state = Next.HEADER;

  /** Short payload and its checksum in pieces, until the checksum is verified. */
  private ByteBuf staged = Unpooled.EMPTY_BUFFER;

  /** Input behind a waiting frame; null without any. */
  private ByteBuf kept;

  /** @param checksum null for frames without checksums */
  public FrameReader(Sink sink, FrameChecksum checksum) {
    this.sink = sink;
    this.checksum = checksum;
    this.trailerBytes = checksum == null ? 0 : FrameChecksum.BYTES;
    this.header =
        Unpooled.wrappedBuffer(new byte[TcpFrame.BYTES + trailerBytes]).clear();
  }

  /** Sets the target of the payload behind the current header; the range is valid. */
  public void expect(TcpLocalMemory into, int offset, int length) {
    target = into;
    targetStart = offset;
    targetOffset = offset;
    missing = length + trailerBytes;
    firstWord.clear();
    large = length >= DIRECT_BYTES;
  }

  public boolean isBetweenFrames() {
    return state == Next.HEADER && !header.isReadable();
  }

  public boolean isWaiting() {
    return state == Next.WAIT;
  }

  /** Takes ownership of {@code input}. */
  public void read(ByteBuf input) {
    ByteBuf all = kept == null ? input : joined(kept, input);
    kept = null;
    consume(all);
    if (state == Next.WAIT && all.isReadable()) {
      kept = onHeap(all);
    } else {
      all.release();
    }
  }

  /** A waiting frame must not hold a buffer that later reads use. */
  private static ByteBuf onHeap(ByteBuf input) {
    if (!input.isDirect()) {
      return input;
    }
    ByteBuf copy = Unpooled.buffer(input.readableBytes()).writeBytes(input);
    input.release();
    return copy;
  }

  /** Joins the pieces in one buffer, because a peer chooses number and size of TLS records. */
  private static ByteBuf joined(ByteBuf first, ByteBuf more) {
    first.writeBytes(more);
    more.release();
    return first;
  }

  /** Presents the waiting frame again, and the input behind it. */
  public void resume() {
    if (state == Next.WAIT) {
      state = sink.onHeader(header);
      if (state != Next.WAIT) {
        began();
        read(Unpooled.EMPTY_BUFFER);
      }
    }
  }

  private void consume(ByteBuf input) {
    boolean mayContinue = true;
    while (mayContinue && (input.isReadable() || missing == 0)) {
      switch (state) {
        case HEADER -> mayContinue = input.isReadable() && takeHeader(input);
        case PAYLOAD -> {
          if (isTargetOpen()) {
            take(input);
          }
        }
        case WAIT, STOP -> mayContinue = false;
        default -> throw new IllegalStateException("in state " + state);
      }
    }
  }

  /** Returns whether the header is complete. */
  private boolean takeHeader(ByteBuf input) {
    header.writeBytes(input, Math.min(header.writableBytes(), input.readableBytes()));
    if (header.isWritable()) {
      return false;
    }
    if (checksum != null && !isHeaderRight()) {
      corrupted("a header");
      return false;
    }
    state = sink.onHeader(header);
    began();
    return true;
  }

  private void began() {
    if (state == Next.HEADER || state == Next.PAYLOAD) {
      header.clear();
    }
  }

  private boolean isHeaderRight() {
    checksum.reset();
    checksum.update(header, 0, TcpFrame.BYTES);
    return checksum.value() == header.getIntLE(TcpFrame.BYTES);
  }

  private void corrupted(String what) {
    state = Next.STOP;
    sink.onCorrupted(what);
  }

  private void take(ByteBuf input) {
    if (checksum == null) {
      takePayload(input);
    } else if (large && missing > trailerBytes) {
      takeLarge(input);
    } else if (!staged.isReadable() && input.readableBytes() >= missing) {
      takeChecked(input);
    } else {
      stage(input);
    }
  }

  /**
   * Stores the bytes directly, but for the first word: readers poll it, and a change on the way may look like a frame
   * until the checksum is there. No reader expects complete data before {@link Sink#onPayload}.
   */
  private void takeLarge(ByteBuf input) {
    if (firstWord.isWritable()) {
      int kept = firstWord.readableBytes();
      keepFirstWord(input);
      checksum.update(firstWord, kept, firstWord.readableBytes() - kept);
    }
    int count = Math.min(missing - trailerBytes, input.readableBytes());
    input.readBytes(target.view(targetOffset, count));
    checksum.update(target.view(targetOffset, count));
    placed(count);
  }

  private void stage(ByteBuf input) {
    if (staged.capacity() == 0) {
      staged = Unpooled.buffer(DIRECT_BYTES + trailerBytes);
    }
    staged.writeBytes(input, Math.min(missing - staged.readableBytes(), input.readableBytes()));
    if (staged.readableBytes() == missing) {
      takeChecked(staged);
      staged.clear();
    }
  }

  /** Stores the complete payload if its checksum matches. */
  private void takeChecked(ByteBuf from) {
    int count = missing - trailerBytes;
    checksum.update(from, from.readerIndex(), count);
    if (checksum.value() != from.getIntLE(from.readerIndex() + count)) {
      corrupted("a payload");
      return;
    }
    from.readBytes(target.view(targetOffset, count));
    from.skipBytes(trailerBytes);
    storeFirstWord();
    placed(missing);
  }

  private void takePayload(ByteBuf input) {
    if (!large && firstWord.isWritable() && input.readableBytes() < missing) {
      keepFirstWord(input);
    }
    int count = Math.min(missing, input.readableBytes());
    input.readBytes(target.view(targetOffset, count));
    if (count == missing) {
      storeFirstWord();
    }
    placed(count);
  }

  private void storeFirstWord() {
    if (firstWord.isReadable()) {
      firstWord.readBytes(target.view(targetStart, firstWord.readableBytes()));
    }
  }

  /** Stores the first word last, because readers poll it. */
  private void keepFirstWord(ByteBuf input) {
    int count = Math.min(firstWord.writableBytes(), input.readableBytes());
    input.readBytes(firstWord, count);
    targetOffset += count;
    missing -= count;
  }

  private void placed(int count) {
    targetOffset += count;
    missing -= count;
    if (missing == 0) {
      target = null;
      missing = -1;
      state = Next.HEADER;
      sink.onPayload();
    }
  }

  /** The owner of a closed target may have reused its memory. */
  private boolean isTargetOpen() {
    if (!target.isClosed()) {
      return true;
    }
    state = Next.STOP;
    sink.onTargetClosed();
    return false;
  }

  /** Returns a buffer over the missing bytes of the current payload; null for short remainders. */
  public ByteBuf directTarget() {
    boolean takesWord = checksum != null && firstWord.isWritable();
    if (state != Next.PAYLOAD
        || !large
        || takesWord
        || missing <= trailerBytes
        || !isTargetOpen()) {
      return null;
    }
    return target.lend(targetOffset, missing - trailerBytes).slice().clear();
  }

  /** Counts bytes that were read into {@link #directTarget}. */
  public void readDirectly(int count) {
    if (checksum != null) {
      checksum.update(target.view(targetOffset, count));
    }
    placed(count);
  }

  public void close() {
    state = Next.STOP;
    target = null;
    if (kept != null) {
      kept.release();
      kept = null;
    }
  }
}
