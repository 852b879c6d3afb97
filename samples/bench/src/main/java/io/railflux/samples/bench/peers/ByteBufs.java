package io.railflux.samples.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.railflux.samples.cli.measure.Payload;
import java.nio.ByteBuffer;

/** Messages in Netty's buffers. */
final class ByteBufs {

  private static final int CACHE_LINE_BYTES = 64;

  private final ByteBuffer fill;
  private final int sizeBytes;

  ByteBufs(int sizeBytes) {
    this.fill = Payload.fill(sizeBytes);
    this.sizeBytes = sizeBytes;
  }

  /** Owned by the caller. */
  ByteBuf message(long number) {
    ByteBuf message = ByteBufAllocator.DEFAULT.directBuffer(sizeBytes, sizeBytes);
    Payload.put(fill, message.internalNioBuffer(0, sizeBytes), 0, sizeBytes);
    return message.setLongLE(0, number).writerIndex(sizeBytes);
  }

  static long number(ByteBuf message) {
    return message.getLongLE(message.readerIndex());
  }

  /** As {@link Payload#touch}. */
  static long touch(ByteBuf message) {
    int begin = message.readerIndex();
    int last = message.writerIndex() - Long.BYTES;
    long touched = message.getLong(last);
    for (int i = begin; i < last; i += CACHE_LINE_BYTES) {
      touched ^= message.getLong(i);
    }
    return touched;
  }
}
