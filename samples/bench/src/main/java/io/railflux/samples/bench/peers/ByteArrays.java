package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Messages in arrays. */
final class ByteArrays {

  private final ByteBuffer fill;
  private final int sizeBytes;

  ByteArrays(int sizeBytes) {
    this.fill = Payload.fill(sizeBytes);
    this.sizeBytes = sizeBytes;
  }

  byte[] message(long number) {
    byte[] message = new byte[sizeBytes];
    ByteBuffer memory = wrap(message);
    Payload.put(fill, memory, 0, sizeBytes);
    memory.putLong(0, number);
    return message;
  }

  static long number(byte[] message) {
    return wrap(message).getLong(0);
  }

  static long touch(byte[] message) {
    return Payload.touch(wrap(message), 0, message.length);
  }

  private static ByteBuffer wrap(byte[] message) {
    return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
  }
}
