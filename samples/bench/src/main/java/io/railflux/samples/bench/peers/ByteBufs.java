package io.railflux.samples.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Messages in Netty buffers. */
final class ByteBufs {

  private static final int CACHE_LINE_BYTES = 64;
  private static final int SMALL_BYTES = 1 << 10;

  private final ByteBuffer fill;
  private final Reading reading;
  private final int sizeBytes;

  ByteBufs(Job job) {
    this.fill = Payload.fill(job.sizeBytes());
    this.reading = job.reading();
    this.sizeBytes = job.sizeBytes();
  }

  /** Returns a buffer that the caller owns. */
  ByteBuf message(long number) {
    ByteBuf message = ByteBufAllocator.DEFAULT.directBuffer(sizeBytes, sizeBytes);
    ByteBuffer memory = message.internalNioBuffer(0, sizeBytes);
    Payload.put(fill, memory, memory.position(), sizeBytes);
    return message.setLongLE(0, number).writerIndex(sizeBytes);
  }

  /** Reads a message and returns its number. */
  long read(ByteBuf message) {
    int begin = message.readerIndex();
    long number = message.getLongLE(begin);
    if (reading.isWhole() || sizeBytes > SMALL_BYTES) {
      // Each access through the buffer is checked. The JIT removes the checks of the memory below.
      ByteBuffer memory =
          message.internalNioBuffer(begin, message.readableBytes()).order(ByteOrder.LITTLE_ENDIAN);
      reading.read(memory, memory.position());
    } else {
      reading.check(number, touch(message, begin, message.readableBytes()));
    }
    return number;
  }

  /** As {@link Payload#touch}. */
  private static long touch(ByteBuf message, int begin, int bytes) {
    int last = begin + bytes - Long.BYTES;
    long touched = message.getLongLE(last);
    for (int i = begin; i < last; i += CACHE_LINE_BYTES) {
      touched ^= message.getLongLE(i);
    }
    return touched;
  }
}
