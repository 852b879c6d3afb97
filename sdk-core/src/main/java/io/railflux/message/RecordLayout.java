package io.railflux.message;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Composes the method handles that read and write a whole record: no boxing and no reflection
 * remain when a message comes.
 */
final class RecordLayout {

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  // A method handle takes 255 words at most, a long being two; some are needed for the buffer.
  private static final int MAX_CONSTRUCTOR_WORDS = 250;

  private final Class<?> type;
  private final Set<Class<?>> enclosing;

  private RecordLayout(Class<?> type, Set<Class<?>> enclosing) {
    this.type = type;
    this.enclosing = enclosing;
  }

  /**
   * The packed layout of a record.
   *
   * @throws IllegalArgumentException naming the record and the component that cannot be encoded
   */
  static RecordField of(Class<?> type) {
    return new RecordLayout(type, Set.of(type)).compose();
  }

  private RecordField compose() {
    RecordComponent[] components = type.getRecordComponents();
    MethodHandle reader = constructor(components);
    RecordField[] fields = new RecordField[components.length];
    StringBuilder signature = new StringBuilder("(");
    int end = 0;
    for (int i = 0; i < fields.length; i++) {
      fields[i] = field(components[i]);
      signature.append(fields[i].signature());
      end += fields[i].lengthBytes();
    }
    MethodHandle writer =
        MethodHandles.empty(methodType(void.class, ByteBuffer.class, int.class, type));
    int offset = end;
    for (int i = fields.length - 1; i >= 0; i--) {
      offset -= fields[i].lengthBytes();
      reader = MethodHandles.foldArguments(reader, i, fields[i].readerAt(offset));
      writer =
          MethodHandles.foldArguments(writer, fields[i].writerAt(offset, accessor(components[i])));
    }
    return new RecordField(signature.append(')').toString(), end, reader, writer);
  }

  private RecordField field(RecordComponent component) {
    Class<?> of = component.getType();
    if (of.isPrimitive()) {
      return RecordField.primitive(of);
    }
    if (of.isEnum()) {
      return RecordField.enumeration(of);
    }
    if (!of.isRecord() || enclosing.contains(of)) {
      throw new IllegalArgumentException(
          "record " + type.getName() + ": component '" + component.getName() + "' of type "
              + of.getTypeName() + " has no fixed length; use primitives, enums and records of "
              + "them, or write a Codec");
    }
    Set<Class<?>> outer = new HashSet<>(enclosing);
    outer.add(of);
    return new RecordLayout(of, outer).compose();
  }

  /** {@code (components..., ByteBuffer, int)R}; the last two are for the fields folded into it. */
  private MethodHandle constructor(RecordComponent[] components) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    long words = Arrays.stream(types)
        .mapToInt(c -> c == long.class || c == double.class ? 2 : 1)
        .sum();
    if (words > MAX_CONSTRUCTOR_WORDS) {
      throw new IllegalArgumentException(
          "record " + type.getName() + " has too many components; nest records or write a Codec");
    }
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      open(canonical);
      return MethodHandles.dropArguments(
          LOOKUP.unreflectConstructor(canonical), types.length, ByteBuffer.class, int.class);
    } catch (ReflectiveOperationException e) {
      throw inaccessible(e);
    }
  }

  /** {@code (R)T}, refusing null. */
  private MethodHandle accessor(RecordComponent component) {
    try {
      open(component.getAccessor());
      MethodHandle get = LOOKUP.unreflect(component.getAccessor());
      if (component.getType().isPrimitive()) {
        return get;
      }
      MethodHandle present = LOOKUP.findStatic(
          Objects.class, "requireNonNull", methodType(Object.class, Object.class, String.class));
      String complaint =
          "component '" + component.getName() + "' of record " + type.getName() + " is null";
      MethodHandle checked = MethodHandles.insertArguments(present, 1, complaint);
      return MethodHandles.filterReturnValue(
          get, checked.asType(methodType(component.getType(), component.getType())));
    } catch (ReflectiveOperationException e) {
      throw inaccessible(e);
    }
  }

  private void open(AccessibleObject member) {
    if (!member.trySetAccessible()) {
      throw inaccessible(null);
    }
  }

  private IllegalArgumentException inaccessible(Throwable cause) {
    return new IllegalArgumentException(
        "record "
            + type.getName()
            + " is not accessible; add 'opens "
            + type.getPackageName()
            + ";' to the module-info of "
            + type.getModule(),
        cause);
  }
}
