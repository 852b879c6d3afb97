package io.railflux.samples.cli.measure;

import java.nio.ByteBuffer;

/**
 * Checksum of the messages of one size: their words, each turned by its place, so that it also tells words that
 * changed places. What the number in front adds to it is known, and so the sum of every message.
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

  /** Of the message with that number. */
  public long of(long number) {
    return rest ^ Long.rotateLeft(number, numberTurns);
  }

  /**
   * Goes on after the bytes that gave {@code sum}, which were whole words.
   *
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

  /** Goes on with another word. */
  public static long turn(long sum, long word) {
    return Long.rotateLeft(sum, 1) ^ word;
  }
}
