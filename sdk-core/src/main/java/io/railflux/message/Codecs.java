package io.railflux.message;

import io.railflux.message.layout.RecordLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The codecs of the SDK. Streams, nodes and threads may share them. Numbers are little-endian. A message of the wrong
 * length fails its stream with an {@link IllegalArgumentException}.
 */
public final class Codecs {

  private static final Codec<byte[]> BYTES = new BytesCodec();
  private static final Codec<ByteBuffer> BYTE_BUFFER = new ByteBufferCodec();
  private static final Codec<String> UTF8 = new Utf8Codec();

  private Codecs() {}

  /**
   * Byte arrays, with the name {@code bytes}. Decoding returns a new array.
   *
   * @return the codec
   */
  public static Codec<byte[]> bytes() {
    return BYTES;
  }

  /**
   * The remaining bytes of a buffer, with the name {@code bytes}, so that the other side may use {@link #bytes()}.
   * Encoding does not move the position. A small buffer is copied when it is sent. A large buffer is lent and sent
   * without a copy if it is direct or shared memory is the only fabric; it must not change until its message is
   * acknowledged. Decoding returns a new heap buffer, little-endian.
   *
   * @return the codec
   */
  public static Codec<ByteBuffer> byteBuffer() {
    return BYTE_BUFFER;
  }

  /**
   * Text as UTF-8, with the name {@code utf8}. Unpaired surrogates encode to {@code ?}, malformed bytes decode to
   * U+FFFD.
   *
   * @return the codec
   */
  public static Codec<String> utf8() {
    return UTF8;
  }

  /**
   * One byte, with the name {@code int8}.
   *
   * @return the codec
   */
  public static Codec<Byte> int8() {
    return ScalarCodec.INT8;
  }

  /**
   * Two bytes, with the name {@code int16}.
   *
   * @return the codec
   */
  public static Codec<Short> int16() {
    return ScalarCodec.INT16;
  }

  /**
   * Four bytes, with the name {@code int32}.
   *
   * @return the codec
   */
  public static Codec<Integer> int32() {
    return ScalarCodec.INT32;
  }

  /**
   * Eight bytes, with the name {@code int64}.
   *
   * @return the codec
   */
  public static Codec<Long> int64() {
    return ScalarCodec.INT64;
  }

  /**
   * Four bytes, IEEE 754, with the name {@code float32}. NaN payloads may change.
   *
   * @return the codec
   */
  public static Codec<Float> float32() {
    return ScalarCodec.FLOAT32;
  }

  /**
   * Eight bytes, IEEE 754, with the name {@code float64}. NaN payloads may change.
   *
   * @return the codec
   */
  public static Codec<Double> float64() {
    return ScalarCodec.FLOAT64;
  }

  /**
   * One byte, 0 or 1, with the name {@code bool}. Other bytes fail the stream.
   *
   * @return the codec
   */
  public static Codec<Boolean> bool() {
    return ScalarCodec.BOOL;
  }

  /**
   * One UTF-16 unit in two bytes, with the name {@code char16}.
   *
   * @return the codec
   */
  public static Codec<Character> char16() {
    return ScalarCodec.CHAR16;
  }

  /**
   * Records. Records of primitives and of such records have a fixed layout: packed in declaration order,
   * little-endian, without padding; encoding them allocates nothing. Other records have a variable length, one
   * component after the other:
   *
   * <ul>
   * <li>{@code String} as UTF-8, as in {@link #utf8()}; enums by the name of the constant, so that order and number
   * of the constants may differ between the sides
   * <li>boxed primitives, {@code BigInteger}, {@code BigDecimal}, {@code UUID}, {@code Instant}, {@code Duration},
   * {@code LocalDate}, {@code LocalTime}, {@code LocalDateTime}
   * <li>nested records, generic records with type arguments, and records that contain themselves within one of the
   * following, at most 256 levels deep
   * <li>{@code Optional}, {@code List}, {@code Set}, {@code Map} and arrays of all these. Lists, sets and maps are
   * unmodifiable and keep the order of the sender. Keys and elements of sets are scalars, enums or {@code Comparable}
   * records, so that a peer cannot degrade a hash table
   * </ul>
   *
   * <p>Components and elements must not be null, unless a run-time annotation with the simple name {@code Nullable}
   * permits it, such as that of JSpecify. Nullable values have the wire format of {@code Optional}. Decoding calls
   * the constructors; their exceptions, and unknown enum constants, fail the stream.
   *
   * <p>The name contains the layout, and both sides need the same name: {@code record:Trade(JDI)}, with letters of
   * field descriptors, for a record of primitives, otherwise {@code
   * record:Order(id=long,side=enum,lines=[(sku=String,quantity=int)])}. A name beyond 255 bytes is cut and ends with
   * a hash. A record must not change while peers of the old version exist; send the new one as another stream.
   *
   * <p>The codec is composed by reflection: create it once and keep it.
   *
   * @param <R> type of the record
   * @param type class of the record
   * @return the codec
   * @throws IllegalArgumentException if a component has another type, or the package of the record is not open to
   *     this module. The message names the record, the component, its type and the remedy
   */
  public static <R extends Record> Codec<R> record(Class<R> type) {
    Objects.requireNonNull(type, "type");
    return RecordLayout.isFixed(type) ? RecordCodec.of(type) : VariableRecordCodec.of(type);
  }

  /**
   * Adapts a serializer that writes to a stream, such as those of JSON, Protobuf or Avro. See {@link GrowingCodec}.
   *
   * @param <T> type of the values
   * @param name name of the codec, 1 to 255 bytes of UTF-8; changes with the format
   * @param writer writes a value; may be called twice for one message
   * @param reader reads a value from untrusted bytes
   * @return the codec; streams, nodes and threads may share it if they may share both functions
   * @throws IllegalArgumentException if the name is empty or too long
   */
  public static <T> Codec<T> growing(
      String name,
      GrowingCodec.ValueWriter<? super T> writer,
      GrowingCodec.ValueReader<? extends T> reader) {
    return new IoCodec<>(Objects.requireNonNull(name, "name"), writer, reader);
  }

  /**
   * Views of a fixed length. Sending copies the viewed bytes. Receiving wraps one instance per engine thread, valid
   * until {@code onNext} returns. Messages allocate nothing.
   *
   * @param <F> type of the view
   * @param name name of the codec; changes with the layout
   * @param fixedBytes length of every message in bytes
   * @param factory creates the view that receives messages
   * @return the codec
   */
  public static <F extends Flyweight> Codec<F> flyweight(
      String name, int fixedBytes, Supplier<F> factory) {
    return new FlyweightCodec<>(Objects.requireNonNull(name, "name"), fixedBytes, factory);
  }
}
