package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Payload;
import java.nio.ByteBuffer;

/**
 * Messages to send without allocating any: a round of views, longer than what a stream takes over
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
