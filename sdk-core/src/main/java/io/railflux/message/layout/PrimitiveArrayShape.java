package io.railflux.message.layout;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Arrays of a primitive type: a count, then the elements in bulk.
 *
 * @param <A> the type of the array
 */
final class PrimitiveArrayShape<A> extends ValueShape<A> {

  /** Copies all elements between array and slot, from the position on, which may stay unchanged. */
  private interface Transfer<A> {

    void move(ByteBuffer slot, A array);
  }

  private static final Map<Class<?>, ValueShape<?>> ALL = new HashMap<>();

  static {
    add(
        boolean.class,
        Byte.BYTES,
        boolean[]::new,
        PrimitiveArrayShape::putAll,
        PrimitiveArrayShape::getAll);
    add(
        byte.class,
        Byte.BYTES,
        byte[]::new,
        (slot, a) -> slot.duplicate().put(a),
        (slot, a) -> slot.duplicate().get(a));
    add(
        short.class,
        Short.BYTES,
        short[]::new,
        (slot, a) -> slot.asShortBuffer().put(a),
        (slot, a) -> slot.asShortBuffer().get(a));
    add(
        char.class,
        Character.BYTES,
        char[]::new,
        (slot, a) -> slot.asCharBuffer().put(a),
        (slot, a) -> slot.asCharBuffer().get(a));
    add(
        int.class,
        Integer.BYTES,
        int[]::new,
        (slot, a) -> slot.asIntBuffer().put(a),
        (slot, a) -> slot.asIntBuffer().get(a));
    add(
        long.class,
        Long.BYTES,
        long[]::new,
        (slot, a) -> slot.asLongBuffer().put(a),
        (slot, a) -> slot.asLongBuffer().get(a));
    add(
        float.class,
        Float.BYTES,
        float[]::new,
        (slot, a) -> slot.asFloatBuffer().put(a),
        (slot, a) -> slot.asFloatBuffer().get(a));
    add(
        double.class,
        Double.BYTES,
        double[]::new,
        (slot, a) -> slot.asDoubleBuffer().put(a),
        (slot, a) -> slot.asDoubleBuffer().get(a));
  }

  private final String element;
  private final int elementBytes;
  private final IntFunction<A> factory;
  private final Transfer<A> writer;
  private final Transfer<A> reader;

  private PrimitiveArrayShape(
      String element,
      int elementBytes,
      IntFunction<A> factory,
      Transfer<A> writer,
      Transfer<A> reader) {
    super("[" + element + "]", 1);
    this.element = element;
    this.elementBytes = elementBytes;
    this.factory = factory;
    this.writer = writer;
    this.reader = reader;
  }

  private static <A> void add(
      Class<?> element,
      int elementBytes,
      IntFunction<A> factory,
      Transfer<A> writer,
      Transfer<A> reader) {
    ALL.put(
        element,
        new PrimitiveArrayShape<>(element.getName(), elementBytes, factory, writer, reader));
  }

  /** Returns the shape of arrays of a primitive type. */
  static ValueShape<?> of(Class<?> element) {
    return ALL.get(element);
  }

  @Override
  long sizeBytes(A value, int depth) {
    int length = Array.getLength(value);
    return Varint.bytes(length) + (long) elementBytes * length;
  }

  @Override
  void write(ByteBuffer slot, int depth, A value) {
    int length = Array.getLength(value);
    Varint.put(slot, length);
    int end = slot.position() + length * elementBytes;
    writer.move(slot, value);
    slot.position(end);
  }

  @Override
  A read(ByteBuffer slot, int depth) {
    A value = factory.apply(readCount(slot, elementBytes, "an array of " + element));
    int end = slot.position() + Array.getLength(value) * elementBytes;
    reader.move(slot, value);
    slot.position(end);
    return value;
  }

  private static void putAll(ByteBuffer slot, boolean[] values) {
    for (int i = 0; i < values.length; i++) {
      RecordField.writeBoolean(slot, slot.position() + i, values[i]);
    }
  }

  private static void getAll(ByteBuffer slot, boolean[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = RecordField.readBoolean(slot, slot.position() + i);
    }
  }
}
