package io.railflux.fabric.tcp;

import java.util.ArrayDeque;

/**
 * What the peer's reads and atomics still have to get, in order. One reply is written at a time, in
 * pieces, as the connection takes them: nothing is kept for a peer that does not read.
 */
final class Replies {

  /** A peer asks for no more than that at once. */
  static final int MAX_OPEN = 64;

  /**
   * One reply.
   *
   * @param index the request's number, from 1 on
   * @param region null for an atomic, whose former value is {@code value}
   */
  private record Reply(long index, TcpExposedRegion region, int offset, int length, long value) {}

  private final ArrayDeque<Reply> waiting = new ArrayDeque<>();
  private Reply current;
  private int written;

  boolean isFull() {
    return waiting.size() == MAX_OPEN;
  }

  boolean isEmpty() {
    return waiting.isEmpty() && current == null;
  }

  /** Whether one is half written: nothing else may be sent before its end. */
  boolean isUnfinished() {
    return current != null;
  }

  void addRead(long index, TcpExposedRegion region, int offset, int length) {
    waiting.add(new Reply(index, region, offset, length, 0));
  }

  void addAtomic(long index, long former) {
    waiting.add(new Reply(index, null, 0, Long.BYTES, former));
  }

  /** Up to where requests are answered, given how many arrived. */
  long answered(long arrived) {
    return waiting.isEmpty() ? arrived : waiting.peek().index - 1;
  }

  /**
   * Writes the next piece.
   *
   * @return false when its region was closed meanwhile: the connection cannot go on
   */
  boolean writePiece(FrameWriter writer) {
    if (current == null) {
      begin(writer);
    }
    if (current.region == null) {
      writer.value(current.value);
      current = null;
      return true;
    }
    if (current.region.isClosed()) {
      return false;
    }
    written += writer.copy(current.region, current.offset + written, current.length - written);
    if (written == current.length) {
      current = null;
    }
    return true;
  }

  private void begin(FrameWriter writer) {
    current = waiting.remove();
    written = 0;
    TcpFrame.put(writer.header(), TcpFrame.REPLY, 0, current.length, current.index, 0, 0, 0);
  }
}
