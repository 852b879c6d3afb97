package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/** What a bare socket writes or reads at a time: messages of 64 B, each encoded or touched. One thread. */
final class BarePiece {

  private static final int BYTES = 64 << 10;

  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private final Reading reading = new Reading(Work.TOUCH, Traffic.SMALL_BYTES);
  private long number;

  /** Encodes the next messages once those before are written. */
  int write(SocketChannel channel) throws IOException {
    if (!memory.hasRemaining()) {
      memory.clear();
      while (memory.hasRemaining()) {
        memory.putLong(number++);
      }
      memory.flip();
    }
    return channel.write(memory);
  }

  /** @throws EOFException when the other side is gone */
  int read(SocketChannel channel) throws IOException {
    int bytes = channel.read(memory.clear());
    if (bytes < 0) {
      throw new EOFException("the other side is gone");
    }
    reading.readPart(memory, 0, bytes);
    return bytes;
  }
}
