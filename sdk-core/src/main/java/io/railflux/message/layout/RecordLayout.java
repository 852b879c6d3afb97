package io.railflux.message.layout;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Composes method handles that read and write a record of primitives and such records, without boxing and reflection
 * per message.
 */
public final class RecordLayout {

  private RecordLayout() {}

  /** Whether all values of the record have the same size. */
  public static boolean isFixed(Class<?> type) {
    return isFixed(type, Set.of(type));
  }

  private static boolean isFixed(Class<?> type, Set<Class<?>> enclosing) {
    for (RecordComponent component : type.getRecordComponents()) {
      Class<?> of = component.getType();
      if (of.isRecord() && !enclosing.contains(of)) {
        Set<Class<?>> outer = new HashSet<>(enclosing);
        outer.add(of);
        if (!isFixed(of, outer)) {
          return false;
        }
      } else if (!of.isPrimitive()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the packed layout of a record that {@link #isFixed}. */
  public static RecordField of(Class<?> type) {
    RecordMembers members = new RecordMembers(type);
    RecordComponent[] components = members.components();
    int count = components.length;
    MethodHandle reader =
        MethodHandles.dropArguments(members.constructor(), count, ByteBuffer.class, int.class);
    RecordField[] fields = new RecordField[count];
    StringBuilder signature = new StringBuilder("(");
    int end = 0;
    for (int i = 0; i < count; i++) {
      Class<?> of = components[i].getType();
      fields[i] = of.isPrimitive() ? RecordField.primitive(of) : of(of);
      signature.append(fields[i].signature());
      end += fields[i].lengthBytes();
    }
    MethodHandle writer =
        MethodHandles.empty(methodType(void.class, ByteBuffer.class, int.class, type));
    int offset = end;
    for (int i = count - 1; i >= 0; i--) {
      offset -= fields[i].lengthBytes();
      reader = MethodHandles.foldArguments(reader, i, fields[i].readerAt(offset));
      writer = MethodHandles.foldArguments(
          writer, fields[i].writerAt(offset, members.presentAccessor(components[i])));
    }
    return new RecordField(signature.append(')').toString(), end, reader, writer);
  }
}
