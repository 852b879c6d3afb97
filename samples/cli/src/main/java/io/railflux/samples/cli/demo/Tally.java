package io.railflux.samples.cli.demo;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Count and checksum of events in order. One thread at a time adds events; any thread may read. */
final class Tally {

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer head = ByteBuffer.allocate(Byte.BYTES + Long.BYTES + Integer.BYTES);
  private long count;
  private long payloadBytes;

  /** A snapshot, to compare with that of another process. */
  record Total(long count, long payloadBytes, long checksum) {}

  synchronized void add(Event event) {
    head.clear().put(event.kind().code).putLong(event.number()).putInt(event.payload().length);
    crc.update(head.array());
    crc.update(event.payload());
    count++;
    payloadBytes += event.payload().length;
  }

  synchronized Total total() {
    return new Total(count, payloadBytes, crc.getValue());
  }
}
