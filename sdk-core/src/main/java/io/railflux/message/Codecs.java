package io.railflux.message;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The codecs that come with the SDK. All of them may be shared by streams, nodes and threads.
 * Numbers are little-endian. A message whose length does not fit fails its stream with an {@link
 * IllegalArgumentException} that says so.
 */
public final class Codecs {

  private static final Codec<byte[]> BYTES = new BytesCodec();
  private static final Codec<ByteBuffer> BYTE_BUFFER = new ByteBufferCodec();
  private static final Codec<String> UTF8 = new Utf8Codec();

  private Codecs() {}

  /** Byte arrays as they are, name {@code bytes}. Decoding gives a fresh array. */
  public static Codec<byte[]> bytes() {
    return BYTES;
  }

  /**
   * The remaining bytes of buffers; the source's position does not move and the buffer is the caller's
   * again once its message is acknowledged. Small ones are copied when they are sent. Large ones are sent
   * from where they lie, over shared memory all, elsewhere direct ones: so do not change them before.
   * Decoding gives a fresh heap
   * buffer, little-endian. Its name is {@code bytes}, so that one side may use {@link #bytes()}.
   */
  public static Codec<ByteBuffer> byteBuffer() {
    return BYTE_BUFFER;
  }

  /**
   * Text as UTF-8, name {@code utf8}. As everywhere in Java, surrogates without a partner are sent
   * as {@code ?} and malformed bytes arrive as U+FFFD.
   */
  public static Codec<String> utf8() {
    return UTF8;
  }

  /** One byte, name {@code int8}. */
  public static Codec<Byte> int8() {
    return ScalarCodec.INT8;
  }

  /** Two bytes, name {@code int16}. */
  public static Codec<Short> int16() {
    return ScalarCodec.INT16;
  }

  /** Four bytes, name {@code int32}. */
  public static Codec<Integer> int32() {
    return ScalarCodec.INT32;
  }

  /** Eight bytes, name {@code int64}. */
  public static Codec<Long> int64() {
    return ScalarCodec.INT64;
  }

  /** Four bytes, IEEE 754, name {@code float32}. NaN payloads may change. */
  public static Codec<Float> float32() {
    return ScalarCodec.FLOAT32;
  }

  /** Eight bytes, IEEE 754, name {@code float64}. NaN payloads may change. */
  public static Codec<Double> float64() {
    return ScalarCodec.FLOAT64;
  }

  /** One byte, 0 or 1, name {@code bool}. Other bytes are refused. */
  public static Codec<Boolean> bool() {
    return ScalarCodec.BOOL;
  }

  /** One UTF-16 unit in two bytes, name {@code char16}. */
  public static Codec<Character> char16() {
    return ScalarCodec.CHAR16;
  }

  /**
   * Records of primitives, enums (as ordinal) and such records, packed in declaration order without
   * padding. The name tells the layout: {@code record:Trade(JDI)} with the letters of field
   * descriptors, {@code E3} for an enum of three constants, parentheses for a nested record.
   *
   * @throws IllegalArgumentException when a component has another type, the record is in a package
   *     that is not open to this module, or the name exceeds 255 bytes
   */
  public static <R extends Record> Codec<R> record(Class<R> type) {
    return RecordCodec.of(Objects.requireNonNull(type, "type"));
  }

  /**
   * Views of a fixed length: sending copies the bytes the value views, receiving wraps one reused
   * instance per engine thread, valid until {@code onNext} returns. Nothing is allocated per
   * message.
   *
   * @param name the codec's name; change it when the layout changes
   * @param fixedBytes length of every message in bytes
   * @param factory makes a view that {@link Flyweight#wrap} can be called on
   */
  public static <F extends Flyweight> Codec<F> flyweight(
      String name, int fixedBytes, Supplier<F> factory) {
    return new FlyweightCodec<>(Objects.requireNonNull(name, "name"), fixedBytes, factory);
  }
}
