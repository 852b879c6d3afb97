package io.railflux.buffer;

import io.railflux.exceptions.MessageTooLargeException;
import java.util.Arrays;

/** Counts the written bytes, and keeps them up to a limit. */
public final class MeasuringOutput extends CodecOutput {

  private static final int FIRST_BYTES = 1 << 10;

  private final int maxKeptBytes;
  private final int maxBytes;
  private byte[] kept;
  private int bytes;

  /**
   * Creates an empty output.
   *
   * @param memory keeps the bytes until it is too small; used by this output only
   * @param maxKeptBytes longer messages are not kept
   * @param maxBytes longest permitted message
   */
  public MeasuringOutput(byte[] memory, int maxKeptBytes, int maxBytes) {
    this.kept = memory;
    this.maxKeptBytes = maxKeptBytes;
    this.maxBytes = maxBytes;
  }

  /** Creates an output that counts up to {@code maxBytes} and keeps nothing. */
  public MeasuringOutput(int maxBytes) {
    this(new byte[0], 0, maxBytes);
  }

  /** Returns the length of the message. */
  public int bytes() {
    return bytes;
  }

  /** Whether {@link #memory} contains the whole message. */
  public boolean isKept() {
    return bytes <= maxKeptBytes;
  }

  /** Returns the present memory, for the next output. */
  public byte[] memory() {
    return kept;
  }

  @Override
  protected RuntimeException refusal(int more) {
    return more <= maxBytes - bytes
        ? null
        : new MessageTooLargeException(
            "message of more than " + maxBytes
                + " B exceeds the limit, the smaller maxMessageBytes"
                + " of both sides; raise that or send smaller messages",
            (long) bytes + more,
            maxBytes);
  }

  @Override
  protected void put(byte value) {
    if (hasMemory(1)) {
      kept[bytes] = value;
    }
    bytes++;
  }

  @Override
  protected void put(byte[] source, int offset, int length) {
    if (hasMemory(length)) {
      System.arraycopy(source, offset, kept, bytes, length);
    }
    bytes += length;
  }

  private boolean hasMemory(int more) {
    int end = bytes + more;
    if (end > maxKeptBytes || end < 0) {
      return false;
    }
    if (end > kept.length) {
      int doubled = Math.max(FIRST_BYTES, Integer.highestOneBit(end) * 2);
      kept = Arrays.copyOf(kept, Math.min(doubled, maxKeptBytes));
    }
    return true;
  }
}
