package io.railflux.fabric.tcp;

import io.railflux.fabric.tcp.frames.FrameWriter;
import io.railflux.fabric.tcp.frames.TcpFrame;
import java.util.ArrayDeque;

/**
 * Pending replies to reads and atomics of the peer, in order. One reply is written at a time, in pieces, as the
 * connection accepts them. A peer that does not read costs no memory.
 */
final class Replies {

  /** Largest number of open requests of a peer. */
  static final int MAX_OPEN = 64;

  /**
   * One reply.
   *
   * @param index number of the request, from 1
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

  /** Whether a reply is partly written; no other frame may be sent before its end. */
  boolean isUnfinished() {
    return current != null;
  }

  void addRead(long index, TcpExposedRegion region, int offset, int length) {
    waiting.add(new Reply(index, region, offset, length, 0));
  }

  void addAtomic(long index, long former) {
    waiting.add(new Reply(index, null, 0, Long.BYTES, former));
  }

  /**
   * Returns the number of answered requests.
   *
   * @param arrived number of received requests
   */
  long answered(long arrived) {
    return waiting.isEmpty() ? arrived : waiting.peek().index - 1;
  }

  /**
   * Writes the next piece.
   *
   * @return false if its region was closed, which ends the connection
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
    writer.header(TcpFrame.REPLY, 0, current.length, current.index, 0, 0, 0);
  }
}
