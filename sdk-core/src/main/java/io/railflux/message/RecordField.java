package io.railflux.message;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * How a value of one type lies in a slot.
 *
 * @param signature what the codec's name says about it
 * @param lengthBytes how many bytes it takes
 * @param reader {@code (ByteBuffer, int index)T}
 * @param writer {@code (ByteBuffer, int index, T)void}
 */
record RecordField(String signature, int lengthBytes, MethodHandle reader, MethodHandle writer) {

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle PLUS =
      find(Integer.class, "sum", int.class, int.class, int.class);
  private static final Map<Class<?>, RecordField> PRIMITIVES = Map.of(
      boolean.class, own(boolean.class, Byte.BYTES, "readBoolean", "writeBoolean"),
      byte.class, buffers(byte.class, Byte.BYTES, "get", "put"),
      short.class, buffers(short.class, Short.BYTES, "getShort", "putShort"),
      char.class, buffers(char.class, Character.BYTES, "getChar", "putChar"),
      int.class, buffers(int.class, Integer.BYTES, "getInt", "putInt"),
      long.class, buffers(long.class, Long.BYTES, "getLong", "putLong"),
      float.class, buffers(float.class, Float.BYTES, "getFloat", "putFloat"),
      double.class, buffers(double.class, Double.BYTES, "getDouble", "putDouble"));

  /** The field of a primitive type, or null for any other type. */
  static RecordField primitive(Class<?> type) {
    return PRIMITIVES.get(type);
  }

  /** The field of an enum type: the ordinal as an int. */
  static RecordField enumeration(Class<?> type) {
    Object[] constants = type.getEnumConstants();
    MethodHandle reader = find(
            RecordField.class,
            "readEnum",
            Object.class,
            Object[].class,
            ByteBuffer.class,
            int.class)
        .bindTo(constants)
        .asType(methodType(type, ByteBuffer.class, int.class));
    MethodHandle writer = find(
            RecordField.class, "writeEnum", void.class, ByteBuffer.class, int.class, Enum.class)
        .asType(methodType(void.class, ByteBuffer.class, int.class, type));
    return new RecordField("E" + constants.length, Integer.BYTES, reader, writer);
  }

  /** {@link #reader} with the index given for the start of the record this field is part of. */
  MethodHandle readerAt(int offset) {
    return MethodHandles.filterArguments(reader, 1, MethodHandles.insertArguments(PLUS, 1, offset));
  }

  /** {@link #writer}, likewise, for a whole record, of which {@code accessor} gets the value. */
  MethodHandle writerAt(int offset, MethodHandle accessor) {
    MethodHandle plusOffset = MethodHandles.insertArguments(PLUS, 1, offset);
    return MethodHandles.filterArguments(writer, 1, plusOffset, accessor);
  }

  static boolean readBoolean(ByteBuffer slot, int index) {
    byte value = slot.get(index);
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException("a boolean is 0 or 1 on the wire, found " + value);
    }
    return value == 1;
  }

  static void writeBoolean(ByteBuffer slot, int index, boolean value) {
    slot.put(index, value ? (byte) 1 : 0);
  }

  static Object readEnum(Object[] constants, ByteBuffer slot, int index) {
    int ordinal = slot.getInt(index);
    if (ordinal < 0 || ordinal >= constants.length) {
      throw new IllegalArgumentException(
          "an enum of " + constants.length + " constants has no ordinal " + ordinal);
    }
    return constants[ordinal];
  }

  @SuppressWarnings("EnumOrdinal") // the ordinal is the encoding, the name counts the constants
  static void writeEnum(ByteBuffer slot, int index, Enum<?> value) {
    slot.putInt(index, value.ordinal());
  }

  private static RecordField own(Class<?> type, int bytes, String read, String write) {
    return new RecordField(
        type.descriptorString(),
        bytes,
        find(RecordField.class, read, type, ByteBuffer.class, int.class),
        find(RecordField.class, write, void.class, ByteBuffer.class, int.class, type));
  }

  private static RecordField buffers(Class<?> type, int bytes, String get, String put) {
    try {
      MethodHandle reader = LOOKUP.findVirtual(ByteBuffer.class, get, methodType(type, int.class));
      MethodHandle writer =
          LOOKUP.findVirtual(ByteBuffer.class, put, methodType(ByteBuffer.class, int.class, type));
      return new RecordField(
          type.descriptorString(),
          bytes,
          reader,
          writer.asType(writer.type().changeReturnType(void.class)));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle find(
      Class<?> holder, String name, Class<?> result, Class<?>... parameters) {
    try {
      return LOOKUP.findStatic(holder, name, methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
