package io.railflux.samples.cli.measure;

import io.railflux.samples.cli.shell.CommandFailure;
import java.nio.ByteBuffer;

/** Reads messages of one size as {@link Work} requires. Single-threaded. */
public final class Reading {

  private final int sizeBytes;
  private final Checksum checksum;
  private int doneBytes;
  private long partSum;
  private long number;
  private long sum;

  public Reading(Work work, int sizeBytes) {
    this.sizeBytes = sizeBytes;
    this.checksum = work == Work.CHECKSUM ? new Checksum(sizeBytes) : null;
  }

  /** Reads a message and requires that it is complete and unchanged. */
  public void read(ByteBuffer memory, int offset) {
    if (!isIntact(memory, offset)) {
      throw damaged(memory.getLong(offset));
    }
  }

  /** Reads a message that may be damaged. */
  public boolean isIntact(ByteBuffer memory, int offset) {
    if (checksum == null) {
      sum ^= Payload.touch(memory, offset, sizeBytes);
      return true;
    }
    return Checksum.add(0, memory, offset, sizeBytes) == checksum.of(memory.getLong(offset));
  }

  /** Reads the next part of a message. All parts but the last consist of whole words. */
  public void readPart(ByteBuffer memory, int offset, int bytes) {
    if (checksum == null) {
      if (bytes >= Payload.MIN_BYTES) {
        sum ^= Payload.touch(memory, offset, bytes);
      }
      return;
    }
    if (doneBytes == 0) {
      number = memory.getLong(offset);
      partSum = 0;
    }
    partSum = Checksum.add(partSum, memory, offset, bytes);
    doneBytes += bytes;
    if (doneBytes == sizeBytes) {
      doneBytes = 0;
      check(number, partSum);
    }
  }

  /** Returns whether all bytes must be read. */
  public boolean isWhole() {
    return checksum != null;
  }

  /** Verifies a message that another method read: one word of every line, or the sum of all words. */
  public void check(long ofNumber, long read) {
    if (checksum == null) {
      sum ^= read;
    } else if (read != checksum.of(ofNumber)) {
      throw damaged(ofNumber);
    }
  }

  private static CommandFailure damaged(long number) {
    return new CommandFailure("message " + number + " arrived damaged");
  }

  /** Returns the sum of all words read, so that no read is optimized away. */
  public long sum() {
    return sum;
  }
}
