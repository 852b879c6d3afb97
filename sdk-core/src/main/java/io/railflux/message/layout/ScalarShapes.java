package io.railflux.message.layout;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Shapes of elementary values: boxed primitives, text, and types of the JDK. */
final class ScalarShapes {

  private static final int INSTANT_BYTES = Long.BYTES + Integer.BYTES;
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private static final Map<Class<?>, ValueShape<?>> ALL = new HashMap<>();

  static {
    ALL.put(
        Boolean.class,
        fixed("boolean", Byte.BYTES, RecordField::putBoolean, RecordField::getBoolean));
    ALL.put(Byte.class, fixed("byte", Byte.BYTES, ByteBuffer::put, ByteBuffer::get));
    ALL.put(Short.class, fixed("short", Short.BYTES, ByteBuffer::putShort, ByteBuffer::getShort));
    ALL.put(
        Character.class, fixed("char", Character.BYTES, ByteBuffer::putChar, ByteBuffer::getChar));
    ALL.put(Integer.class, fixed("int", Integer.BYTES, ByteBuffer::putInt, ByteBuffer::getInt));
    ALL.put(Long.class, fixed("long", Long.BYTES, ByteBuffer::putLong, ByteBuffer::getLong));
    ALL.put(Float.class, fixed("float", Float.BYTES, ByteBuffer::putFloat, ByteBuffer::getFloat));
    ALL.put(
        Double.class, fixed("double", Double.BYTES, ByteBuffer::putDouble, ByteBuffer::getDouble));
    ALL.put(String.class, new TextShape());
    ALL.put(BigInteger.class, new BigIntegerShape());
    ALL.put(BigDecimal.class, new BigDecimalShape());
    ALL.put(
        UUID.class, fixed("UUID", 2 * Long.BYTES, ScalarShapes::putUuid, ScalarShapes::getUuid));
    ALL.put(
        Instant.class,
        fixed("Instant", INSTANT_BYTES, ScalarShapes::putInstant, ScalarShapes::getInstant));
    ALL.put(
        Duration.class,
        fixed("Duration", INSTANT_BYTES, ScalarShapes::putDuration, ScalarShapes::getDuration));
    ALL.put(
        LocalDate.class,
        fixed("LocalDate", Long.BYTES, ScalarShapes::putDate, ScalarShapes::getDate));
    ALL.put(
        LocalTime.class,
        fixed("LocalTime", Long.BYTES, ScalarShapes::putTime, ScalarShapes::getTime));
    ALL.put(
        LocalDateTime.class,
        fixed(
            "LocalDateTime", 2 * Long.BYTES, ScalarShapes::putDateTime, ScalarShapes::getDateTime));
  }

  private ScalarShapes() {}

  /** Returns the shape of a type, or null if it is not elementary. */
  static ValueShape<?> of(Class<?> type) {
    return ALL.get(type);
  }

  /** Whether a hash table of such values stays fast for hostile input. */
  static boolean isKey(Class<?> type) {
    return ALL.containsKey(type) || type.isEnum();
  }

  /** Values of one size. */
  private static final class FixedShape<T> extends ValueShape<T> {

    private final BiConsumer<ByteBuffer, T> writer;
    private final Function<ByteBuffer, T> reader;

    FixedShape(
        String signature,
        int lengthBytes,
        BiConsumer<ByteBuffer, T> writer,
        Function<ByteBuffer, T> reader) {
      super(signature, lengthBytes);
      this.writer = writer;
      this.reader = reader;
    }

    @Override
    long sizeBytes(T value, int depth) {
      return minBytes();
    }

    @Override
    void write(ByteBuffer slot, int depth, T value) {
      writer.accept(slot, value);
    }

    @Override
    T read(ByteBuffer slot, int depth) {
      return reader.apply(slot);
    }
  }

  /** Length in bytes, then UTF-8. */
  private static final class TextShape extends ValueShape<String> {

    TextShape() {
      super("String", 1);
    }

    @Override
    long sizeBytes(String value, int depth) {
      int bytes = Utf8.maxBytes(value);
      return Varint.bytes(bytes) + (long) bytes;
    }

    @Override
    void write(ByteBuffer slot, int depth, String value) {
      Utf8.putSized(slot, value);
    }

    @Override
    String read(ByteBuffer slot, int depth) {
      return Utf8.get(slot, readCount(slot, 1, "a String"));
    }
  }

  /** Length, then two's complement with the highest byte first. */
  private static final class BigIntegerShape extends ValueShape<BigInteger> {

    BigIntegerShape() {
      super("BigInteger", 2);
    }

    @Override
    long sizeBytes(BigInteger value, int depth) {
      int bytes = value.bitLength() / Byte.SIZE + 1;
      return Varint.bytes(bytes) + (long) bytes;
    }

    @Override
    void write(ByteBuffer slot, int depth, BigInteger value) {
      byte[] bytes = value.toByteArray();
      Varint.put(slot, bytes.length);
      slot.put(bytes);
    }

    @Override
    BigInteger read(ByteBuffer slot, int depth) {
      byte[] bytes = new byte[readCount(slot, 1, "a BigInteger")];
      slot.get(bytes);
      try {
        return new BigInteger(bytes);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "a BigInteger of " + bytes.length + " B is beyond what Java supports", e);
      }
    }
  }

  /** The scale, then the unscaled value. */
  private static final class BigDecimalShape extends ValueShape<BigDecimal> {

    private final BigIntegerShape unscaled = new BigIntegerShape();

    BigDecimalShape() {
      super("BigDecimal", Integer.BYTES + 2);
    }

    @Override
    long sizeBytes(BigDecimal value, int depth) {
      return Integer.BYTES + unscaled.sizeBytes(value.unscaledValue(), depth);
    }

    @Override
    void write(ByteBuffer slot, int depth, BigDecimal value) {
      slot.putInt(value.scale());
      unscaled.write(slot, depth, value.unscaledValue());
    }

    @Override
    BigDecimal read(ByteBuffer slot, int depth) {
      int scale = slot.getInt();
      return new BigDecimal(unscaled.read(slot, depth), scale);
    }
  }

  private static <T> ValueShape<T> fixed(
      String signature,
      int lengthBytes,
      BiConsumer<ByteBuffer, T> writer,
      Function<ByteBuffer, T> reader) {
    return new FixedShape<>(signature, lengthBytes, writer, reader);
  }

  private static void putUuid(ByteBuffer slot, UUID value) {
    slot.putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
  }

  private static UUID getUuid(ByteBuffer slot) {
    long most = slot.getLong();
    return new UUID(most, slot.getLong());
  }

  private static void putInstant(ByteBuffer slot, Instant value) {
    slot.putLong(value.getEpochSecond()).putInt(value.getNano());
  }

  private static Instant getInstant(ByteBuffer slot) {
    long seconds = slot.getLong();
    requireRange("Instant", seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond());
    return Instant.ofEpochSecond(seconds, getNanos(slot));
  }

  private static void putDuration(ByteBuffer slot, Duration value) {
    slot.putLong(value.getSeconds()).putInt(value.getNano());
  }

  private static Duration getDuration(ByteBuffer slot) {
    long seconds = slot.getLong();
    return Duration.ofSeconds(seconds, getNanos(slot));
  }

  private static int getNanos(ByteBuffer slot) {
    int nanos = slot.getInt();
    requireRange("nanosecond of a second", nanos, 0, NANOS_PER_SECOND - 1L);
    return nanos;
  }

  private static void putDate(ByteBuffer slot, LocalDate value) {
    slot.putLong(value.toEpochDay());
  }

  private static LocalDate getDate(ByteBuffer slot) {
    long day = slot.getLong();
    var days = ChronoField.EPOCH_DAY.range();
    requireRange("LocalDate", day, days.getMinimum(), days.getMaximum());
    return LocalDate.ofEpochDay(day);
  }

  private static void putTime(ByteBuffer slot, LocalTime value) {
    slot.putLong(value.toNanoOfDay());
  }

  private static LocalTime getTime(ByteBuffer slot) {
    long nanos = slot.getLong();
    requireRange("LocalTime", nanos, 0, LocalTime.MAX.toNanoOfDay());
    return LocalTime.ofNanoOfDay(nanos);
  }

  private static void putDateTime(ByteBuffer slot, LocalDateTime value) {
    putDate(slot, value.toLocalDate());
    putTime(slot, value.toLocalTime());
  }

  private static LocalDateTime getDateTime(ByteBuffer slot) {
    LocalDate date = getDate(slot);
    return LocalDateTime.of(date, getTime(slot));
  }

  private static void requireRange(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "a " + what + " lies between " + least + " and " + most + ", found " + value);
    }
  }
}
