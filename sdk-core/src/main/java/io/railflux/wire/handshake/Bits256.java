package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;

/** 32 bytes of a handshake: a nonce, a public key or a proof, as little-endian numbers in order. */
public record Bits256(long first, long second, long third, long fourth) {
  /** Size in bytes. */
  public static final int BYTES = 32;

  /** All zero; means absent. */
  public static final Bits256 ZERO = new Bits256(0, 0, 0, 0);

  /** Creates bits from consecutive numbers of a source. */
  public static Bits256 random(LongSupplier source) {
    return new Bits256(
        source.getAsLong(), source.getAsLong(), source.getAsLong(), source.getAsLong());
  }

  /** Creates bits from exactly 32 bytes. */
  public static Bits256 of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(bytes.length + " bytes where 32 are due");
    }
    ByteBuffer source = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return new Bits256(source.getLong(), source.getLong(), source.getLong(), source.getLong());
  }

  /** Returns a copy as bytes. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(first)
        .putLong(second)
        .putLong(third)
        .putLong(fourth)
        .array();
  }

  /** Compares in constant time. */
  public boolean matches(Bits256 other) {
    return ((first ^ other.first)
            | (second ^ other.second)
            | (third ^ other.third)
            | (fourth ^ other.fourth))
        == 0;
  }

  /** Reads {@link #BYTES} at an index, independent of position and limit. */
  public static Bits256 get(ByteBuffer source, int index) {
    return new Bits256(
        (long) Fields.LONG.get(source, index),
        (long) Fields.LONG.get(source, index + 8),
        (long) Fields.LONG.get(source, index + 16),
        (long) Fields.LONG.get(source, index + 24));
  }

  /** Writes {@link #BYTES} at an index, independent of position and limit. */
  public void put(ByteBuffer target, int index) {
    Fields.LONG.set(target, index, first);
    Fields.LONG.set(target, index + 8, second);
    Fields.LONG.set(target, index + 16, third);
    Fields.LONG.set(target, index + 24, fourth);
  }

  void encode(ByteBuffer target) {
    Fields.putLong(target, first);
    Fields.putLong(target, second);
    Fields.putLong(target, third);
    Fields.putLong(target, fourth);
  }

  static Bits256 decode(ByteBuffer source) throws MalformedFrameException {
    return get(source, Fields.take(source, BYTES));
  }

  /** Omits the bits, which may be secret. */
  @Override
  public String toString() {
    return equals(ZERO) ? "0" : "256 bits";
  }
}
