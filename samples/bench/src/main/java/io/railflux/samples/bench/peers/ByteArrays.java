package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Messages in arrays. */
final class ByteArrays {

  private final ByteBuffer fill;
  private final Reading reading;
  private final int sizeBytes;

  ByteArrays(Job job) {
    this.fill = Payload.fill(job.sizeBytes());
    this.reading = job.reading();
    this.sizeBytes = job.sizeBytes();
  }

  byte[] message(long number) {
    byte[] message = new byte[sizeBytes];
    ByteBuffer memory = wrap(message);
    Payload.put(fill, memory, 0, sizeBytes);
    memory.putLong(0, number);
    return message;
  }

  /** Reads a message and returns its number. */
  long read(byte[] message) {
    ByteBuffer memory = wrap(message);
    reading.read(memory, 0);
    return memory.getLong(0);
  }

  private static ByteBuffer wrap(byte[] message) {
    return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
  }
}
