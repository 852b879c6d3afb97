package io.railflux.message.layout;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Fixed layout of a primitive value, or of a record of such values.
 *
 * @param signature text of the type in the name of the codec
 * @param lengthBytes size in bytes
 * @param reader {@code (ByteBuffer, int index)T}
 * @param writer {@code (ByteBuffer, int index, T)void}
 */
public record RecordField(
    String signature, int lengthBytes, MethodHandle reader, MethodHandle writer) {

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

  /** Returns the field of a primitive type, or null for other types. */
  static RecordField primitive(Class<?> type) {
    return PRIMITIVES.get(type);
  }

  /** Returns {@link #reader} relative to the start of the enclosing record. */
  MethodHandle readerAt(int offset) {
    return MethodHandles.filterArguments(reader, 1, MethodHandles.insertArguments(PLUS, 1, offset));
  }

  /**
   * Returns {@link #writer} relative to the start of the enclosing record, with {@code accessor} applied to that
   * record.
   */
  MethodHandle writerAt(int offset, MethodHandle accessor) {
    MethodHandle plusOffset = MethodHandles.insertArguments(PLUS, 1, offset);
    return MethodHandles.filterArguments(writer, 1, plusOffset, accessor);
  }

  /**
   * Reads a boolean at an index.
   *
   * @throws IllegalArgumentException for a byte that {@link #writeBoolean} does not write
   */
  public static boolean readBoolean(ByteBuffer slot, int index) {
    byte value = slot.get(index);
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException("a boolean is 0 or 1 on the wire, found " + value);
    }
    return value == 1;
  }

  static void writeBoolean(ByteBuffer slot, int index, boolean value) {
    slot.put(index, value ? (byte) 1 : 0);
  }

  static boolean getBoolean(ByteBuffer slot) {
    int index = slot.position();
    slot.position(index + Byte.BYTES);
    return readBoolean(slot, index);
  }

  static void putBoolean(ByteBuffer slot, boolean value) {
    slot.put(value ? (byte) 1 : 0);
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
