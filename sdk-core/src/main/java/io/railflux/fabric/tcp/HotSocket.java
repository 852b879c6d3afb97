package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.unix.FileDescriptor;
import io.railflux.fabric.tcp.frames.FrameReader;
import io.railflux.fabric.tcp.frames.ReusedBuffers;
import java.io.IOException;

/**
 * Reads a socket without a selection while its peer answers within microseconds, because a selection costs as much as
 * the read. Regular selections serve the other sockets, and report the end of this one. Engine thread only.
 */
final class HotSocket {

  /** Time after a read in which the next bytes are expected. */
  private static final long HOT_NANOS = 100_000;

  /** Larger reads belong to a stream, for which the selector is not slower. */
  private static final int MAX_BYTES = FrameReader.DIRECT_BYTES;

  /** Largest number of turns without the selector. */
  private static final int MAX_TURNS = 16;

  private final FileDescriptor socket;
  private final ReusedBuffers buffers;
  private long lastReadNanos;
  private int turns;
  private boolean hot;

  HotSocket(FileDescriptor socket, ReusedBuffers buffers) {
    this.socket = socket;
    this.buffers = buffers;
  }

  /** Counts received bytes, however they were read. */
  void received(int bytes, long nowNanos) {
    hot = bytes <= MAX_BYTES;
    lastReadNanos = nowNanos;
  }

  /** Whether to read the socket now, without a selection. */
  boolean isDue(long nowNanos) {
    if (hot && turns < MAX_TURNS && nowNanos - lastReadNanos < HOT_NANOS) {
      turns++;
      return true;
    }
    turns = 0;
    return false;
  }

  /** Returns the available bytes, which the caller releases; null without any. */
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
      // The selector reports it to the channel.
      hot = false;
      return -1;
    }
  }
}
