package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** A codec with messages of one length. */
abstract class FixedCodec<T> implements Codec<T> {

  private static final int MAX_NAME_BYTES = 255;

  private final String name;
  private final int lengthBytes;

  FixedCodec(String name, int lengthBytes) {
    if (lengthBytes < 0) {
      throw new IllegalArgumentException(
          "codec " + name + ": the length of its messages is negative: " + lengthBytes);
    }
    this.name = requireName(name);
    this.lengthBytes = lengthBytes;
  }

  /** Refuses invalid names of codecs. */
  static String requireName(String name) {
    int nameBytes = name.getBytes(UTF_8).length;
    if (nameBytes < 1 || nameBytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException("codec name '" + name + "' has " + nameBytes
          + " bytes, allowed are 1 to " + MAX_NAME_BYTES);
    }
    return name;
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
