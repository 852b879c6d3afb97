package io.railflux.message.layout;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Constructor and accessors of one record as method handles. */
public final class RecordMembers {

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  // A method handle has at most 255 argument words, two for a long; some are needed for the buffer.
  private static final int MAX_CONSTRUCTOR_WORDS = 250;

  private final Class<?> type;
  private final RecordComponent[] components;

  RecordMembers(Class<?> type) {
    this.type = type;
    this.components = type.getRecordComponents();
  }

  RecordComponent[] components() {
    return components;
  }

  /** Returns the prefix of errors about a component. */
  String where(RecordComponent component) {
    return "component '" + component.getName() + "' of record " + type.getName();
  }

  /** Returns the canonical constructor, {@code (components...)R}. */
  MethodHandle constructor() {
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
      return LOOKUP.unreflectConstructor(canonical);
    } catch (ReflectiveOperationException e) {
      throw inaccessible(e);
    }
  }

  /** Returns an accessor, {@code (R)T}. */
  MethodHandle accessor(RecordComponent component) {
    try {
      open(component.getAccessor());
      return LOOKUP.unreflect(component.getAccessor());
    } catch (ReflectiveOperationException e) {
      throw inaccessible(e);
    }
  }

  /** Returns an accessor that refuses null. */
  MethodHandle presentAccessor(RecordComponent component) {
    MethodHandle get = accessor(component);
    Class<?> result = component.getType();
    if (result.isPrimitive()) {
      return get;
    }
    try {
      MethodHandle present = LOOKUP.findStatic(
          Objects.class, "requireNonNull", methodType(Object.class, Object.class, String.class));
      String complaint =
          where(component) + " is null; annotate it @Nullable or make it an Optional";
      MethodHandle checked = MethodHandles.insertArguments(present, 1, complaint);
      return MethodHandles.filterReturnValue(get, checked.asType(methodType(result, result)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Converts an exception of a constructor or accessor. */
  public static RuntimeException unchecked(Throwable e) {
    if (e instanceof RuntimeException unchecked) {
      return unchecked;
    }
    if (e instanceof Error error) {
      throw error;
    }
    // Constructors and accessors of records cannot declare checked exceptions.
    return new IllegalStateException(e);
  }

  private void open(AccessibleObject member) {
    if (!member.trySetAccessible()) {
      throw inaccessible(null);
    }
  }

  private IllegalArgumentException inaccessible(@Nullable Throwable cause) {
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
