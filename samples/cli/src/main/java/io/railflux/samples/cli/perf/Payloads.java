package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Payload;
import java.nio.ByteBuffer;

/**
 * Sends messages without allocation: a cycle of views that is longer than the number of elements a stream prefetches
 * before it encodes.
 */
final class Payloads {

  private static final int COUNT = 1024;

  private final Payload[] round = new Payload[COUNT];

  Payloads(int sizeBytes) {
    ByteBuffer fill = Payload.fill(sizeBytes);
    for (int i = 0; i < COUNT; i++) {
      round[i] = new Payload();
      round[i].wrap(fill, 0, sizeBytes);
    }
  }

  Payload numbered(long number) {
    return round[(int) number & COUNT - 1].number(number);
  }
}
