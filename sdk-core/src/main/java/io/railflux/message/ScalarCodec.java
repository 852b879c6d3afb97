package io.railflux.message;

import io.railflux.message.layout.RecordField;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** One primitive value, little-endian. */
final class ScalarCodec<T> extends FixedCodec<T> {

  static final Codec<Byte> INT8 =
      new ScalarCodec<>("int8", Byte.BYTES, ByteBuffer::put, ByteBuffer::get);
  static final Codec<Short> INT16 =
      new ScalarCodec<>("int16", Short.BYTES, ByteBuffer::putShort, ByteBuffer::getShort);
  static final Codec<Integer> INT32 =
      new ScalarCodec<>("int32", Integer.BYTES, ByteBuffer::putInt, ByteBuffer::getInt);
  static final Codec<Long> INT64 =
      new ScalarCodec<>("int64", Long.BYTES, ByteBuffer::putLong, ByteBuffer::getLong);
  static final Codec<Float> FLOAT32 =
      new ScalarCodec<>("float32", Float.BYTES, ByteBuffer::putFloat, ByteBuffer::getFloat);
  static final Codec<Double> FLOAT64 =
      new ScalarCodec<>("float64", Double.BYTES, ByteBuffer::putDouble, ByteBuffer::getDouble);
  static final Codec<Character> CHAR16 =
      new ScalarCodec<>("char16", Character.BYTES, ByteBuffer::putChar, ByteBuffer::getChar);
  static final Codec<Boolean> BOOL = new ScalarCodec<>(
      "bool",
      Byte.BYTES,
      (slot, value) -> slot.put(value ? (byte) 1 : 0),
      slot -> RecordField.readBoolean(slot, slot.position()));

  private final BiConsumer<ByteBuffer, T> writer;
  private final Function<ByteBuffer, T> reader;

  private ScalarCodec(
      String name,
      int lengthBytes,
      BiConsumer<ByteBuffer, T> writer,
      Function<ByteBuffer, T> reader) {
    super(name, lengthBytes);
    this.writer = writer;
    this.reader = reader;
  }

  @Override
  public void encode(T value, ByteBuffer slot) {
    writer.accept(slot, value);
  }

  @Override
  T read(ByteBuffer slot) {
    return reader.apply(slot);
  }
}
