package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Cuts what arrives into headers and payloads, and puts payloads where they belong. Knows no frame:
 * its sink says for each header what follows.
 */
final class FrameReader {

  /** From here on a payload is read from the socket into its place, not through a buffer. */
  static final int DIRECT_BYTES = 16 * 1024;

  /** What to do after a header. */
  enum Next {
    /** A payload follows, to be put where {@link #expect} said; then {@link Sink#onPayload}. */
    PAYLOAD,
    /** Nothing belongs to it. */
    HEADER,
    /** It cannot be taken now: {@link #resume} shows it again. */
    WAIT,
    /** Nothing more is read. */
    STOP
  }

  /** Takes frames. */
  interface Sink {

    /** The header is at the reader index and must stay there. */
    Next onHeader(ByteBuf header);

    /** All of the payload is in place. */
    void onPayload();

    /** The place of the payload was taken away; nothing more is read. */
    void onTargetClosed();
  }

  private final Sink sink;
  private final ByteBuf header =
      Unpooled.wrappedBuffer(new byte[TcpFrame.BYTES]).clear();

  /** Of a payload that comes in pieces. */
  private final ByteBuf firstWord = Unpooled.wrappedBuffer(new byte[Long.BYTES]).clear();

  private TcpLocalMemory target;
  private int targetStart;
  private int targetOffset;
  private int missing = -1;
  private boolean large;
  private Next state = Next.HEADER;

  /** Input not looked at because a frame waits; null when there is none. */
  private ByteBuf kept;

  FrameReader(Sink sink) {
    this.sink = sink;
  }

  /** Where the payload that follows the current header goes; the range was checked. */
  void expect(TcpLocalMemory into, int offset, int length) {
    target = into;
    targetStart = offset;
    targetOffset = offset;
    missing = length;
    firstWord.clear();
    large = length >= DIRECT_BYTES;
  }

  boolean isBetweenFrames() {
    return state == Next.HEADER && !header.isReadable();
  }

  boolean isWaiting() {
    return state == Next.WAIT;
  }

  /** Takes over {@code input}. */
  void read(ByteBuf input) {
    ByteBuf all = kept == null ? input : joined(kept, input);
    kept = null;
    consume(all);
    if (state == Next.WAIT && all.isReadable()) {
      kept = all;
    } else {
      all.release();
    }
  }

  /** In one buffer: TLS brings its records one by one, and a peer chooses how many there are and how short. */
  private static ByteBuf joined(ByteBuf first, ByteBuf more) {
    ByteBuf all = first;
    if (first.maxCapacity() < Integer.MAX_VALUE) {
      all = Unpooled.buffer(first.readableBytes() + more.readableBytes()).writeBytes(first);
      first.release();
    }
    all.writeBytes(more);
    more.release();
    return all;
  }

  /** Shows the waiting frame again, and what follows it. */
  void resume() {
    if (state == Next.WAIT) {
      state = sink.onHeader(header);
      if (state != Next.WAIT) {
        began();
        read(Unpooled.EMPTY_BUFFER);
      }
    }
  }

  private void consume(ByteBuf input) {
    boolean goesOn = true;
    while (goesOn && (input.isReadable() || missing == 0)) {
      switch (state) {
        case HEADER -> goesOn = input.isReadable() && takeHeader(input);
        case PAYLOAD -> {
          if (isTargetOpen()) {
            takePayload(input);
          }
        }
        case WAIT, STOP -> goesOn = false;
        default -> throw new IllegalStateException("in state " + state);
      }
    }
  }

  /** Returns whether the header is whole. */
  private boolean takeHeader(ByteBuf input) {
    header.writeBytes(input, Math.min(header.writableBytes(), input.readableBytes()));
    if (header.isWritable()) {
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

  private void takePayload(ByteBuf input) {
    if (!large && firstWord.isWritable() && input.readableBytes() < missing) {
      keepFirstWord(input);
    }
    int count = Math.min(missing, input.readableBytes());
    input.readBytes(target.view(targetOffset, count));
    if (count == missing && firstWord.isReadable()) {
      firstWord.readBytes(target.view(targetStart, firstWord.readableBytes()));
    }
    placed(count);
  }

  /** Whoever polls the first word must not find it before the rest is there. */
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

  /** Whoever closed the memory may use it for something else by now. */
  private boolean isTargetOpen() {
    if (!target.isClosed()) {
      return true;
    }
    state = Next.STOP;
    sink.onTargetClosed();
    return false;
  }

  /** A buffer over what is missing of the payload that is due, to read into; null where it is short. */
  ByteBuf directTarget() {
    if (state != Next.PAYLOAD || !large || !isTargetOpen()) {
      return null;
    }
    return target.lend(targetOffset, missing).slice().clear();
  }

  /** That many bytes were read into the {@link #directTarget}. */
  void readDirectly(int count) {
    placed(count);
  }

  void close() {
    state = Next.STOP;
    target = null;
    if (kept != null) {
      kept.release();
      kept = null;
    }
  }
}
