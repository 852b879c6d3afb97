package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;

/**
 * A socket whose peer answers within microseconds is read without asking the selector first whether there
 * is something: that costs as much as the reading. The selector is asked all the same now and then, for
 * the sake of all other sockets, and hears of whatever ends this one. Engine thread only.
 */
final class HotSocket {

  /** So long after something came the next is expected soon. */
  private static final long HOT_NANOS = 100_000;

  /** Much at a time is a stream, of which the selector says nothing that was not known. */
  private static final int MOST_BYTES = FrameReader.DIRECT_BYTES;

  /** Turns without the selector, at most. */
  private static final int MOST_TURNS = 16;

  private final FileDescriptor socket;
  private final ReusedBuffers buffers;
  private long lastReadNanos;
  private int turns;
  private boolean hot;

  HotSocket(FileDescriptor socket, ReusedBuffers buffers) {
    this.socket = socket;
    this.buffers = buffers;
  }

  /** That many bytes were read, in whatever way. */
  void heard(int bytes, long nowNanos) {
    hot = bytes <= MOST_BYTES;
    lastReadNanos = nowNanos;
  }

  /** Whether to look at it now instead of asking the selector. */
  boolean isDue(long nowNanos) {
    if (hot && turns < MOST_TURNS && nowNanos - lastReadNanos < HOT_NANOS) {
      turns++;
      return true;
    }
    turns = 0;
    return false;
  }

  /** What there is, for the caller to release; null when there is nothing. */
  ByteBuf read() {
    ByteBuf buffer = buffers.take();
    int count = read(buffer);
    if (count > 0) {
      return buffer.writerIndex(count);
    }
    buffer.release();
    return null;
  }

  private int read(ByteBuf buffer) {
    try {
      int count = socket.read(buffer.internalNioBuffer(0, buffer.capacity()), 0, buffer.capacity());
      hot &= count >= 0;
      return count;
    } catch (IOException e) {
      // The selector tells its channel.
      hot = false;
      return -1;
    }
  }
}
