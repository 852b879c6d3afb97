package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/** The unit that a bare socket writes or reads: messages of 64 B, each encoded or touched. Single-threaded. */
final class BarePiece {

  private static final int BYTES = 64 << 10;

  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private final Reading reading = new Reading(Work.TOUCH, Traffic.SMALL_BYTES);
  private long number;

  /** Encodes the next messages after the previous ones are written. */
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

  /**
   * @throws EOFException if the other side has closed the socket
   */
  int read(SocketChannel channel) throws IOException {
    int bytes = channel.read(memory.clear());
    if (bytes < 0) {
      throw new EOFException("the other side closed the socket");
    }
    reading.readPart(memory, 0, bytes);
    return bytes;
  }
}
