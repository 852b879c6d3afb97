package io.railflux.message.layout;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Composes the shape of a record: walks the types of its components, binds type variables, and resolves recursion. */
public final class ShapeComposer {

  private static final int MAX_NESTED_TYPES = 64;
  private static final int MAX_COMPONENTS = 10_000;
  /** Largest number of nested uses of a generic record with different type arguments. */
  private static final int MAX_BINDINGS = 4;
  /** Largest depth of records of one type within each other, bounded by the stack of a thread. */
  public static final int MAX_RECURSION = 256;

  private static final String REMEDY =
      "; use primitives, String, enums, records, Optional, List, Set, Map or arrays of them, types of"
          + " java.time, UUID, BigInteger or BigDecimal, or write a Codec";

  /** A type as written, with the bindings of its variables. */
  private record Bound(AnnotatedType type, Map<TypeVariable<?>, Bound> variables) {

    /** Returns the type behind variables and wildcards; null for an unbound variable. */
    Bound resolved() {
      if (type.getType() instanceof TypeVariable<?> variable) {
        Bound bound = variables.get(variable);
        return bound == null ? null : bound.resolved();
      }
      if (type instanceof AnnotatedWildcardType wildcard) {
        return new Bound(wildcard.getAnnotatedUpperBounds()[0], variables).resolved();
      }
      return this;
    }

    boolean isNullable() {
      if (isAnnotatedNullable(type)) {
        return true;
      }
      if (type.getType() instanceof TypeVariable<?> variable) {
        Bound bound = variables.get(variable);
        return bound != null && bound.isNullable();
      }
      return false;
    }

    Class<?> raw() {
      Type of = type.getType();
      return of instanceof ParameterizedType parameterized
          ? (Class<?>) parameterized.getRawType()
          : of instanceof Class<?> plain ? plain : Object[].class;
    }

    Bound argument(int index) {
      return type instanceof AnnotatedParameterizedType parameterized
          ? new Bound(parameterized.getAnnotatedActualTypeArguments()[index], variables)
          : null;
    }

    /** Returns equal text for equal types, independent of the names of variables. */
    String key() {
      Bound of = resolved();
      String prefix = isNullable() ? "?" : "";
      if (of == null) {
        return prefix + type.getType();
      }
      if (of.type instanceof AnnotatedArrayType array) {
        return prefix + new Bound(array.getAnnotatedGenericComponentType(), of.variables).key()
            + "[]";
      }
      StringBuilder key = new StringBuilder(prefix).append(of.raw().getName());
      if (of.type instanceof AnnotatedParameterizedType parameterized) {
        for (int i = 0; i < parameterized.getAnnotatedActualTypeArguments().length; i++) {
          key.append(i == 0 ? '<' : ',').append(of.argument(i).key());
        }
        key.append('>');
      }
      return key.toString();
    }
  }

  /** A record in composition, for recursive uses inside it. */
  private static final class Enclosing {

    private final Class<?> type;
    private final String key;
    private final int containers;
    private final List<RecursiveShape> references = new ArrayList<>();

    Enclosing(Class<?> type, String key, int containers) {
      this.type = type;
      this.key = key;
      this.containers = containers;
    }
  }

  /** A recursive use of a record, whose shape is set when it is complete. */
  private static final class RecursiveShape extends ValueShape<Record> {

    private final int records;
    private final String where;
    private RecordShape target;

    /** @param levels records between the use and its enclosing record of the same type */
    RecursiveShape(int levels, String where) {
      super("^" + levels, 1);
      this.records = levels + 1;
      this.where = where;
    }

    @Override
    long sizeBytes(Record value, int depth) {
      return target.sizeBytes(value, deeper(depth));
    }

    @Override
    void write(ByteBuffer slot, int depth, Record value) {
      target.write(slot, deeper(depth), value);
    }

    @Override
    Record read(ByteBuffer slot, int depth) {
      return target.read(slot, deeper(depth));
    }

    private int deeper(int depth) {
      if (depth > MAX_RECURSION - records) {
        throw new IllegalArgumentException(
            where + " nests records of its own kind more than " + MAX_RECURSION + " deep");
      }
      return depth + records;
    }
  }

  private final List<Enclosing> enclosing = new ArrayList<>();
  private int containers;
  private int components;

  private ShapeComposer() {}

  /**
   * Returns the shape of a record.
   *
   * @throws IllegalArgumentException with the record and the component that cannot be encoded
   */
  public static RecordShape compose(Class<?> type) {
    return new ShapeComposer().record(type, type.getName(), Map.of());
  }

  private RecordShape record(Class<?> type, String key, Map<TypeVariable<?>, Bound> variables) {
    RecordMembers members = new RecordMembers(type);
    // Checked first, so that a closed package is reported before its content.
    MethodHandle constructor = members.constructor();
    Enclosing self = new Enclosing(type, key, containers);
    enclosing.add(self);
    List<RecordShape.Part> parts = new ArrayList<>();
    for (RecordComponent component : members.components()) {
      parts.add(part(component, members.where(component), variables));
    }
    enclosing.remove(enclosing.size() - 1);
    RecordShape shape = RecordShape.of(constructor, members, parts);
    self.references.forEach(reference -> reference.target = shape);
    return shape;
  }

  private RecordShape.Part part(
      RecordComponent component, String where, Map<TypeVariable<?>, Bound> variables) {
    Class<?> erased = component.getType();
    if (++components > MAX_COMPONENTS || enclosing.size() > MAX_NESTED_TYPES) {
      throw new IllegalArgumentException(
          where + ": the record and those within it have too many components; write a Codec");
    }
    if (erased.isPrimitive()) {
      return RecordShape.Part.primitive(erased);
    }
    Bound bound = new Bound(component.getAnnotatedType(), variables);
    boolean nullable = bound.isNullable()
        || isAnnotatedNullable(component)
        || isAnnotatedNullable(component.getAccessor());
    ValueShape<?> shape = nullable ? nullable(bound, where) : plain(bound, where);
    return RecordShape.Part.of(shape, erased, nullable);
  }

  /** Accepts every run-time annotation with that simple name: of JSpecify, Jakarta, Spring, the Checker Framework. */
  private static boolean isAnnotatedNullable(AnnotatedElement element) {
    for (Annotation annotation : element.getAnnotations()) {
      if (annotation.annotationType().getSimpleName().equals("Nullable")) {
        return true;
      }
    }
    return false;
  }

  private ValueShape<Object> nullable(Bound bound, String where) {
    containers++;
    ValueShape<Object> shape = ContainerShapes.nullable(plain(bound, where), where);
    containers--;
    return shape;
  }

  /** Returns the shape of the elements of a container. */
  private ValueShape<Object> element(Bound bound, Class<?> container, String where) {
    if (bound == null) {
      throw unsupported(
          where,
          container.getName() + " without a type argument",
          "; name the type of its elements");
    }
    containers++;
    ValueShape<Object> shape = bound.isNullable() ? nullable(bound, where) : plain(bound, where);
    containers--;
    if (shape.minBytes() == 0) {
      throw unsupported(
          where, bound.key() + ", which takes no bytes,", "; give it a component or send a count");
    }
    return shape;
  }

  @SuppressWarnings("unchecked") // A shape receives only values of its type.
  private ValueShape<Object> plain(Bound bound, String where) {
    return (ValueShape<Object>) shape(bound, where);
  }

  private ValueShape<?> shape(Bound written, String where) {
    Bound bound = written.resolved();
    if (bound == null) {
      throw unsupported(
          where,
          "type variable " + written.type.getType().getTypeName(),
          ", which is not bound to a type here; use it in a record that binds the type");
    }
    Class<?> raw = bound.raw();
    ValueShape<?> scalar = ScalarShapes.of(raw);
    if (scalar != null) {
      return scalar;
    }
    if (raw.isEnum()) {
      return enumeration(raw, where);
    }
    if (raw.isRecord()) {
      return nested(raw, bound, where);
    }
    return bound.type instanceof AnnotatedArrayType array
        ? array(new Bound(array.getAnnotatedGenericComponentType(), bound.variables), raw, where)
        : container(raw, bound, where);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // The constants belong to that class.
  private static ValueShape<?> enumeration(Class<?> type, String where) {
    return new EnumShape(type, where);
  }

  private ValueShape<?> array(Bound element, Class<?> array, String where) {
    Bound resolved = element.resolved();
    Class<?> type = resolved == null ? Object.class : resolved.raw();
    return type.isPrimitive()
        ? PrimitiveArrayShape.of(type)
        : ContainerShapes.array(type, element(element, array, where), where);
  }

  private ValueShape<?> container(Class<?> raw, Bound bound, String where) {
    if (raw == Optional.class) {
      return ContainerShapes.optional(element(bound.argument(0), raw, where), where);
    }
    if (raw == List.class) {
      return ContainerShapes.list(element(bound.argument(0), raw, where), where);
    }
    if (raw == Set.class) {
      return ContainerShapes.set(key(bound.argument(0), raw, where), where);
    }
    if (raw == Map.class) {
      ValueShape<Object> key = key(bound.argument(0), raw, where);
      return ContainerShapes.map(key, element(bound.argument(1), raw, where), where);
    }
    throw unsupported(where, "type " + bound.type.getType().getTypeName(), REMEDY);
  }

  /** Comparable keys keep a hash table fast even with equal hashes. */
  private ValueShape<Object> key(Bound bound, Class<?> container, String where) {
    Bound resolved = bound == null ? null : bound.resolved();
    if (resolved != null) {
      Class<?> raw = resolved.raw();
      boolean comparable = raw.isRecord() && Comparable.class.isAssignableFrom(raw);
      if (bound.isNullable() || !(comparable || ScalarShapes.isKey(raw))) {
        throw unsupported(
            where,
            (bound.isNullable() ? "nullable " : "") + raw.getTypeName() + " as a key or in a set",
            "; use a String, number, enum, UUID, type of java.time, or a record that is Comparable,"
                + " or a List");
      }
    }
    return element(bound, container, where);
  }

  private ValueShape<?> nested(Class<?> raw, Bound bound, String where) {
    String key = bound.key().replaceFirst("^\\?", "");
    int bindings = 0;
    for (int i = enclosing.size() - 1; i >= 0; i--) {
      Enclosing outer = enclosing.get(i);
      if (outer.key.equals(key)) {
        return recursive(outer, enclosing.size() - 1 - i, raw, where);
      }
      bindings += outer.type == raw ? 1 : 0;
    }
    if (bindings >= MAX_BINDINGS) {
      throw unsupported(
          where,
          "type " + raw.getName() + ", which contains itself with ever other arguments,",
          REMEDY);
    }
    Map<TypeVariable<?>, Bound> variables = new HashMap<>();
    TypeVariable<?>[] parameters = raw.getTypeParameters();
    for (int i = 0; i < parameters.length && bound.argument(i) != null; i++) {
      variables.put(parameters[i], bound.argument(i));
    }
    return record(raw, key, variables);
  }

  private ValueShape<?> recursive(Enclosing outer, int levels, Class<?> type, String where) {
    if (outer.containers == containers) {
      throw unsupported(
          where,
          "type " + type.getName() + ", which contains itself,",
          "; make it an Optional or a List, or annotate it @Nullable");
    }
    RecursiveShape reference = new RecursiveShape(levels, where);
    outer.references.add(reference);
    return reference;
  }

  private static IllegalArgumentException unsupported(String where, String what, String remedy) {
    return new IllegalArgumentException(where + ": " + what + " cannot be encoded" + remedy);
  }
}
