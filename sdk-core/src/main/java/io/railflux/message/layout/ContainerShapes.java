package io.railflux.message.layout;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shapes of values that contain other values: a count or a presence byte, then the values. */
final class ContainerShapes {

  private ContainerShapes() {}

  /** An optional value: one byte, 0 or 1, then the value. */
  static ValueShape<Optional<Object>> optional(ValueShape<Object> element, String where) {
    return new OptionalShape(element, where);
  }

  /** A nullable reference, with the wire format of {@link #optional}. */
  static ValueShape<Object> nullable(ValueShape<Object> element, String where) {
    return new NullableShape(element, where);
  }

  static ValueShape<List<Object>> list(ValueShape<Object> element, String where) {
    return new ListShape(element, where);
  }

  static ValueShape<Set<Object>> set(ValueShape<Object> element, String where) {
    return new SetShape(element, where);
  }

  static ValueShape<Map<Object, Object>> map(
      ValueShape<Object> key, ValueShape<Object> value, String where) {
    return new MapShape(key, value, where);
  }

  /** An array of references, with the wire format of a list. */
  static ValueShape<Object[]> array(Class<?> type, ValueShape<Object> element, String where) {
    return new ArrayShape(type, element, where);
  }

  private static boolean readPresence(ByteBuffer slot, String where) {
    byte present = slot.get();
    if (present != 0 && present != 1) {
      throw new IllegalArgumentException(
          where + ": a value is absent (0) or present (1), found " + present);
    }
    return present == 1;
  }

  private static IllegalArgumentException duplicate(String where) {
    return new IllegalArgumentException(where + ": a key or an element of a set came twice");
  }

  /** Returns the capacity of a hash table that need not grow. */
  private static int capacity(int count) {
    return (int) Math.min(Integer.MAX_VALUE, count * 4L / 3 + 1);
  }

  private static final class OptionalShape extends ValueShape<Optional<Object>> {

    private final ValueShape<Object> element;
    private final String where;

    OptionalShape(ValueShape<Object> element, String where) {
      super("?" + element.signature(), 1);
      this.element = element;
      this.where = where;
    }

    @Override
    long sizeBytes(Optional<Object> value, int depth) {
      return value.isPresent() ? 1 + element.sizeBytes(value.get(), depth) : 1;
    }

    @Override
    void write(ByteBuffer slot, int depth, Optional<Object> value) {
      slot.put(value.isPresent() ? (byte) 1 : 0);
      if (value.isPresent()) {
        element.write(slot, depth, value.get());
      }
    }

    @Override
    Optional<Object> read(ByteBuffer slot, int depth) {
      return readPresence(slot, where) ? Optional.of(element.read(slot, depth)) : Optional.empty();
    }
  }

  private static final class NullableShape extends ValueShape<Object> {

    private final ValueShape<Object> element;
    private final String where;

    NullableShape(ValueShape<Object> element, String where) {
      super("?" + element.signature(), 1);
      this.element = element;
      this.where = where;
    }

    @Override
    long sizeBytes(Object value, int depth) {
      return value == null ? 1 : 1 + element.sizeBytes(value, depth);
    }

    @Override
    void write(ByteBuffer slot, int depth, Object value) {
      slot.put(value == null ? (byte) 0 : 1);
      if (value != null) {
        element.write(slot, depth, value);
      }
    }

    @Override
    Object read(ByteBuffer slot, int depth) {
      return readPresence(slot, where) ? element.read(slot, depth) : null;
    }
  }

  /** A count, then values of one shape. */
  private abstract static class SequenceShape<C> extends ValueShape<C> {

    /** Largest number of elements to allocate before they are read. */
    private static final int MAX_UNREAD = 256;

    private final ValueShape<Object> element;
    private final String where;

    SequenceShape(String signature, ValueShape<Object> element, String where) {
      super(signature, 1);
      this.element = element;
      this.where = where;
    }

    final long sizeOf(Collection<Object> values, int depth) {
      long bytes = Varint.bytes(values.size());
      for (Object value : values) {
        bytes += element.sizeBytes(present(value), depth);
      }
      return bytes;
    }

    final void writeAll(ByteBuffer slot, int depth, Collection<Object> values) {
      int count = values.size();
      Varint.put(slot, count);
      for (Object value : values) {
        element.write(slot, depth, present(value));
        count--;
      }
      if (count != 0) {
        throw new IllegalStateException(where + " changed while it was encoded");
      }
    }

    final int readCount(ByteBuffer slot) {
      return readCount(slot, element.minBytes(), where);
    }

    /**
     * Reads count and elements. The array grows with the present elements, because nested lists could all claim the
     * same remaining bytes.
     */
    final Object[] readAll(ByteBuffer slot, int depth, Class<?> type) {
      int count = readCount(slot);
      Object[] values = (Object[]) Array.newInstance(type, Math.min(count, MAX_UNREAD));
      for (int i = 0; i < count; i++) {
        if (i == values.length) {
          values = Arrays.copyOf(values, (int) Math.min(count, 2L * i));
        }
        values[i] = element.read(slot, depth);
      }
      return values;
    }

    final Object readOne(ByteBuffer slot, int depth) {
      return element.read(slot, depth);
    }

    final String where() {
      return where;
    }

    /** A shape that permits null handles it itself. */
    private Object present(Object value) {
      return element instanceof NullableShape ? value : requirePresent(value, where);
    }
  }

  private static Object requirePresent(Object value, String where) {
    if (value == null) {
      throw new NullPointerException(where + " contains null; annotate its elements @Nullable");
    }
    return value;
  }

  private static final class ListShape extends SequenceShape<List<Object>> {

    ListShape(ValueShape<Object> element, String where) {
      super("[" + element.signature() + "]", element, where);
    }

    @Override
    long sizeBytes(List<Object> value, int depth) {
      return sizeOf(value, depth);
    }

    @Override
    void write(ByteBuffer slot, int depth, List<Object> value) {
      writeAll(slot, depth, value);
    }

    @Override
    List<Object> read(ByteBuffer slot, int depth) {
      Object[] values = readAll(slot, depth, Object.class);
      return values.length == 0 ? List.of() : Collections.unmodifiableList(Arrays.asList(values));
    }
  }

  private static final class ArrayShape extends SequenceShape<Object[]> {

    private final Class<?> type;

    ArrayShape(Class<?> type, ValueShape<Object> element, String where) {
      super("[" + element.signature() + "]", element, where);
      this.type = type;
    }

    @Override
    long sizeBytes(Object[] value, int depth) {
      return sizeOf(Arrays.asList(value), depth);
    }

    @Override
    void write(ByteBuffer slot, int depth, Object[] value) {
      writeAll(slot, depth, Arrays.asList(value));
    }

    @Override
    Object[] read(ByteBuffer slot, int depth) {
      return readAll(slot, depth, type);
    }
  }

  private static final class SetShape extends SequenceShape<Set<Object>> {

    SetShape(ValueShape<Object> element, String where) {
      super("{" + element.signature() + "}", element, where);
    }

    @Override
    long sizeBytes(Set<Object> value, int depth) {
      return sizeOf(value, depth);
    }

    @Override
    void write(ByteBuffer slot, int depth, Set<Object> value) {
      writeAll(slot, depth, value);
    }

    @Override
    Set<Object> read(ByteBuffer slot, int depth) {
      int count = readCount(slot);
      Set<Object> value = new LinkedHashSet<>(capacity(count));
      for (int i = 0; i < count; i++) {
        if (!value.add(readOne(slot, depth))) {
          throw duplicate(where());
        }
      }
      return Collections.unmodifiableSet(value);
    }
  }

  private static final class MapShape extends ValueShape<Map<Object, Object>> {

    private final ValueShape<Object> key;
    private final ValueShape<Object> value;
    private final String where;

    MapShape(ValueShape<Object> key, ValueShape<Object> value, String where) {
      super("{" + key.signature() + ":" + value.signature() + "}", 1);
      this.key = key;
      this.value = value;
      this.where = where;
    }

    @Override
    long sizeBytes(Map<Object, Object> map, int depth) {
      long bytes = Varint.bytes(map.size());
      for (Map.Entry<Object, Object> entry : map.entrySet()) {
        bytes += key.sizeBytes(requirePresent(entry.getKey(), where), depth);
        bytes += value.sizeBytes(presentValue(entry), depth);
      }
      return bytes;
    }

    @Override
    void write(ByteBuffer slot, int depth, Map<Object, Object> map) {
      int count = map.size();
      Varint.put(slot, count);
      for (Map.Entry<Object, Object> entry : map.entrySet()) {
        key.write(slot, depth, requirePresent(entry.getKey(), where));
        value.write(slot, depth, presentValue(entry));
        count--;
      }
      if (count != 0) {
        throw new IllegalStateException(where + " changed while it was encoded");
      }
    }

    private Object presentValue(Map.Entry<Object, Object> entry) {
      Object held = entry.getValue();
      return value instanceof NullableShape ? held : requirePresent(held, where);
    }

    @Override
    Map<Object, Object> read(ByteBuffer slot, int depth) {
      int count = readCount(slot, key.minBytes() + value.minBytes(), where);
      Map<Object, Object> map = new LinkedHashMap<>(capacity(count));
      for (int i = 0; i < count; i++) {
        Object next = key.read(slot, depth);
        if (map.containsKey(next)) {
          throw duplicate(where);
        }
        map.put(next, value.read(slot, depth));
      }
      return Collections.unmodifiableMap(map);
    }
  }
}
