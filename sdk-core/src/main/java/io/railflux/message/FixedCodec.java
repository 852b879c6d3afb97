package io.railflux.message;

import java.nio.ByteBuffer;

/** A codec whose messages all have the same length. */
abstract class FixedCodec<T> implements Codec<T> {

  private final String name;
  private final int lengthBytes;

  FixedCodec(String name, int lengthBytes) {
    this.name = name;
    this.lengthBytes = lengthBytes;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public int maxEncodedBytes(T value) {
    return lengthBytes;
  }

  final int lengthBytes() {
    return lengthBytes;
  }

  @Override
  public final T decode(ByteBuffer slot) {
    if (slot.remaining() != lengthBytes) {
      throw wrongLength(slot.remaining());
    }
    return read(slot);
  }

  /** Reads exactly {@link #lengthBytes()} bytes from the position on. */
  abstract T read(ByteBuffer slot);

  private IllegalArgumentException wrongLength(int actualBytes) {
    return new IllegalArgumentException(
        "codec " + name + ": a message of " + actualBytes + " bytes arrived, expected "
            + lengthBytes + "; the sender encodes another layout under the same codec name");
  }

  @Override
  public String toString() {
    return "Codec[" + name + "]";
  }
}
