package io.railflux.samples.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.railflux.samples.cli.measure.Payload;
import java.nio.ByteBuffer;

/** Messages in Netty's buffers. */
final class ByteBufs {

  private static final int CACHE_LINE_BYTES = 64;
  private static final int SMALL_BYTES = 1 << 10;

  private final ByteBuffer fill;
  private final int sizeBytes;

  ByteBufs(int sizeBytes) {
    this.fill = Payload.fill(sizeBytes);
    this.sizeBytes = sizeBytes;
  }

  /** Owned by the caller. */
  ByteBuf message(long number) {
    ByteBuf message = ByteBufAllocator.DEFAULT.directBuffer(sizeBytes, sizeBytes);
    ByteBuffer memory = message.internalNioBuffer(0, sizeBytes);
    Payload.put(fill, memory, memory.position(), sizeBytes);
    return message.setLongLE(0, number).writerIndex(sizeBytes);
  }

  static long number(ByteBuf message) {
    return message.getLongLE(message.readerIndex());
  }

  /** As {@link Payload#touch}. */
  static long touch(ByteBuf message) {
    int begin = message.readerIndex();
    int bytes = message.readableBytes();
    if (bytes > SMALL_BYTES) {
      // Each access through the buffer is checked; those of the memory below it are compiled away.
      ByteBuffer memory = message.internalNioBuffer(begin, bytes);
      return Payload.touch(memory, memory.position(), bytes);
    }
    int last = begin + bytes - Long.BYTES;
    long touched = message.getLongLE(last);
    for (int i = begin; i < last; i += CACHE_LINE_BYTES) {
      touched ^= message.getLongLE(i);
    }
    return touched;
  }
}
