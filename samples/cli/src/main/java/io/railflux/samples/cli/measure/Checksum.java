package io.railflux.samples.cli.measure;

import java.nio.ByteBuffer;

/**
 * Checksum of messages of one size: the sum of their words, each rotated by its position. It detects exchanged words.
 * The contribution of the message number is known, and thus the checksum of every message.
 */
public final class Checksum {

  private final int numberTurns;
  private final long rest;

  public Checksum(int sizeBytes) {
    ByteBuffer fill = Payload.fill(sizeBytes);
    long sum = 0;
    for (int done = 0; done < sizeBytes; done += fill.capacity()) {
      sum = add(sum, fill, 0, Math.min(sizeBytes - done, fill.capacity()));
    }
    this.numberTurns = (sizeBytes - 1) / Long.BYTES;
    this.rest = sum ^ Long.rotateLeft(fill.getLong(0), numberTurns);
  }

  /** Returns the checksum of the message with a number. */
  public long of(long number) {
    return rest ^ Long.rotateLeft(number, numberTurns);
  }

  /**
   * Continues after the bytes of {@code sum}, which were whole words.
   * @param memory little-endian
   */
  static long add(long sum, ByteBuffer memory, int offset, int bytes) {
    int words = bytes & -Long.BYTES;
    long added = sum;
    for (int i = 0; i < words; i += Long.BYTES) {
      added = turn(added, memory.getLong(offset + i));
    }
    if (words == bytes) {
      return added;
    }
    long last = 0;
    for (int i = words; i < bytes; i++) {
      last = (last << Byte.SIZE) | (memory.get(offset + i) & 0xff);
    }
    return turn(added, last);
  }

  /** Continues with another word. */
  public static long turn(long sum, long word) {
    return Long.rotateLeft(sum, 1) ^ word;
  }
}
