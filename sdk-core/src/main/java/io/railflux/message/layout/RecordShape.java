package io.railflux.message.layout;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as its components in declaration order, by method handles composed once: no boxing of primitives, and no
 * reflection per message.
 */
public final class RecordShape extends ValueShape<Record> {

  /**
   * Encoding of one component.
   *
   * @param signature text of the type in the name of the codec
   * @param minBytes smallest size
   * @param size {@code (T, int depth)long}; null if the size is {@code minBytes}
   * @param reader {@code (ByteBuffer, int depth)T}
   * @param writer {@code (ByteBuffer, int depth, T)void}
   * @param nullable whether {@code size} and {@code writer} accept null
   */
  record Part(
      String signature,
      int minBytes,
      @Nullable MethodHandle size,
      MethodHandle reader,
      MethodHandle writer,
      boolean nullable) {

    private static final Map<Class<?>, Part> PRIMITIVES = Map.of(
        boolean.class, primitive(boolean.class, Byte.BYTES, "get", "put"),
        byte.class, primitive(byte.class, Byte.BYTES, "get", "put"),
        short.class, primitive(short.class, Short.BYTES, "getShort", "putShort"),
        char.class, primitive(char.class, Character.BYTES, "getChar", "putChar"),
        int.class, primitive(int.class, Integer.BYTES, "getInt", "putInt"),
        long.class, primitive(long.class, Long.BYTES, "getLong", "putLong"),
        float.class, primitive(float.class, Float.BYTES, "getFloat", "putFloat"),
        double.class, primitive(double.class, Double.BYTES, "getDouble", "putDouble"));

    static Part primitive(Class<?> type) {
      return PRIMITIVES.get(type);
    }

    private static Part primitive(Class<?> type, int bytes, String get, String put) {
      try {
        MethodHandle reader = type == boolean.class
            ? LOOKUP.findStatic(
                RecordField.class, "getBoolean", methodType(boolean.class, ByteBuffer.class))
            : LOOKUP.findVirtual(ByteBuffer.class, get, methodType(type));
        MethodHandle writer = type == boolean.class
            ? LOOKUP.findStatic(
                RecordField.class,
                "putBoolean",
                methodType(void.class, ByteBuffer.class, boolean.class))
            : LOOKUP.findVirtual(ByteBuffer.class, put, methodType(ByteBuffer.class, type));
        return new Part(
            type.getName(),
            bytes,
            null,
            MethodHandles.dropArguments(reader, 1, int.class),
            MethodHandles.dropArguments(
                writer.asType(writer.type().changeReturnType(void.class)), 1, int.class),
            false);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    /** @param type erased type of the component */
    static Part of(ValueShape<?> shape, Class<?> type, boolean nullable) {
      return new Part(
          shape.signature(),
          shape.minBytes(),
          SIZE.bindTo(shape).asType(methodType(long.class, type, int.class)),
          READ.bindTo(shape).asType(methodType(type, ByteBuffer.class, int.class)),
          WRITE.bindTo(shape).asType(methodType(void.class, ByteBuffer.class, int.class, type)),
          nullable);
    }
  }

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle SIZE =
      find("sizeBytes", methodType(long.class, Object.class, int.class));
  private static final MethodHandle READ =
      find("read", methodType(Object.class, ByteBuffer.class, int.class));
  private static final MethodHandle WRITE =
      find("write", methodType(void.class, ByteBuffer.class, int.class, Object.class));
  private static final MethodHandle PLUS = plus();

  private final MethodHandle size;
  private final MethodHandle reader;
  private final MethodHandle writer;

  private RecordShape(
      String signature, int minBytes, MethodHandle size, MethodHandle reader, MethodHandle writer) {
    super(signature, minBytes);
    // invokeExact below is compiled for these types.
    this.size = size.asType(methodType(long.class, Record.class, int.class));
    this.reader = reader.asType(methodType(Record.class, ByteBuffer.class, int.class));
    this.writer = writer.asType(methodType(void.class, ByteBuffer.class, int.class, Record.class));
  }

  /**
   * Composes the shape of a record.
   *
   * @param constructor {@code (components...)R}
   * @param parts one per component
   */
  static RecordShape of(MethodHandle constructor, RecordMembers members, List<Part> parts) {
    RecordComponent[] components = members.components();
    Class<?> type = constructor.type().returnType();
    MethodHandle reader =
        MethodHandles.dropArguments(constructor, components.length, ByteBuffer.class, int.class);
    MethodHandle writer =
        MethodHandles.empty(methodType(void.class, ByteBuffer.class, int.class, type));
    int minBytes = 0;
    int fixedBytes = 0;
    for (Part part : parts) {
      minBytes += part.minBytes;
      fixedBytes += part.size == null ? part.minBytes : 0;
    }
    MethodHandle size = MethodHandles.dropArguments(
        MethodHandles.constant(long.class, (long) fixedBytes), 0, type, int.class);
    for (int i = components.length - 1; i >= 0; i--) {
      Part part = parts.get(i);
      MethodHandle accessor =
          part.nullable ? members.accessor(components[i]) : members.presentAccessor(components[i]);
      reader = MethodHandles.foldArguments(reader, i, part.reader);
      writer = MethodHandles.foldArguments(
          writer, MethodHandles.filterArguments(part.writer, 2, accessor));
      if (part.size != null) {
        size = sum(MethodHandles.filterArguments(part.size, 0, accessor), size);
      }
    }
    return new RecordShape(signature(components, parts), minBytes, size, reader, writer);
  }

  /** Adds two {@code (R, int depth)long}; the first is called first. */
  private static MethodHandle sum(MethodHandle first, MethodHandle second) {
    MethodHandle plus = MethodHandles.dropArguments(
        PLUS, 2, second.type().parameterType(0), second.type().parameterType(1));
    return MethodHandles.foldArguments(MethodHandles.foldArguments(plus, 1, second), first);
  }

  private static String signature(RecordComponent[] components, List<Part> parts) {
    StringBuilder signature = new StringBuilder("(");
    for (int i = 0; i < components.length; i++) {
      signature.append(i == 0 ? "" : ",").append(components[i].getName());
      signature.append('=').append(parts.get(i).signature);
    }
    return signature.append(')').toString();
  }

  @Override
  public long sizeBytes(Record value, int depth) {
    try {
      return (long) size.invokeExact(value, depth);
    } catch (Throwable e) {
      throw RecordMembers.unchecked(e);
    }
  }

  @Override
  public void write(ByteBuffer slot, int depth, Record value) {
    try {
      writer.invokeExact(slot, depth, value);
    } catch (Throwable e) {
      throw RecordMembers.unchecked(e);
    }
  }

  @Override
  public Record read(ByteBuffer slot, int depth) {
    try {
      return (Record) reader.invokeExact(slot, depth);
    } catch (Throwable e) {
      throw RecordMembers.unchecked(e);
    }
  }

  private static MethodHandle find(String name, MethodType type) {
    try {
      return LOOKUP.findVirtual(ValueShape.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle plus() {
    try {
      return LOOKUP.findStatic(Long.class, "sum", methodType(long.class, long.class, long.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
