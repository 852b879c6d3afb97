package io.railflux;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

// More than 400 lines: the complete reader of one file format.
/**
 * The live heap of this JVM, read from a heap dump: the large pieces of memory that are reachable from the garbage
 * collector's roots (including thread stacks, thread locals and static fields), with the path of references. A dump is
 * the only complete view of the heap that requires no opened package of the JDK.
 *
 * <p>Reads the format HPROF 1.0.2 as HotSpot writes it, with identifiers of eight bytes.
 */
public final class HeapSnapshot {

  private static final int STRING = 0x01;
  private static final int LOAD_CLASS = 0x02;
  private static final int HEAP_DUMP = 0x0C;
  private static final int HEAP_DUMP_SEGMENT = 0x1C;

  private static final int CLASS_DUMP = 0x20;
  private static final int INSTANCE_DUMP = 0x21;
  private static final int OBJECT_ARRAY_DUMP = 0x22;
  private static final int PRIMITIVE_ARRAY_DUMP = 0x23;

  private static final int OBJECT = 2;

  /** Bytes of each type of field, by its code from 2 on: object, -, boolean, char, float, double, byte, short, int, long. */
  private static final int[] TYPE_BYTES = {0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};

  /** The JDK's modules in memory, which account for most of the JVM's large buffers. */
  private static final String JDK_IMAGE = "jdk.internal.jimage.ImageReader$SharedImageReader";

  private static final int UNREACHED = -2;
  private static final int ROOT = -1;

  /**
   * A large piece of memory.
   * @param bytes its size
   * @param path the references to it, starting at a root
   */
  public record Piece(long bytes, String path) {

    private static final String ARROW = " -> ";

    /** Returns its size and the last reference to it, which is equal in every snapshot for any path. */
    public String holder() {
      int last = path.lastIndexOf(ARROW);
      int from = last < 0 ? 0 : path.lastIndexOf(ARROW, last - 1);
      return bytes + " B: " + path.substring(from < 0 ? 0 : from);
    }

    @Override
    public String toString() {
      return bytes + " B: " + path;
    }
  }

  private record Field(String name, int type) {}

  private record Static(String name, long to) {}

  private record Shape(long superId, List<Field> fields, List<Static> statics) {}

  private final ByteBuffer dump;
  private final Map<Long, String> strings = new HashMap<>();
  private final Map<Long, String> classNames = new HashMap<>();
  private final Map<Long, Shape> shapes = new HashMap<>();
  private long[] roots = new long[1024];
  private int rootCount;

  // Objects by their position in the dump. Their number requires arrays of primitives.
  private long[] ids = new long[1 << 16];
  private int[] positions = new int[1 << 16];
  private int count;
  private int[] placesByHash;

  private HeapSnapshot(ByteBuffer dump) {
    this.dump = dump;
    read();
    index();
  }

  /** Collects garbage and dumps the live objects. */
  public static HeapSnapshot take() {
    try {
      Path directory = Files.createTempDirectory("heap");
      Path file = directory.resolve("live.hprof");
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap(file.toString(), true);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          return new HeapSnapshot(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        }
      } finally {
        Files.deleteIfExists(file);
        Files.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the buffers outside of the heap and the arrays of at least {@code minBytes} that are strongly reachable.
   * @param exempt names of classes whose instances may hold such memory; references behind them are not followed
   * @return each piece once, with the shortest path to it
   */
  public List<Piece> largeMemory(long minBytes, Set<String> exempt) {
    int[] reachedFrom = new int[count];
    Arrays.fill(reachedFrom, UNREACHED);
    int[] queue = new int[count];
    int[] tail = {0};
    for (int i = 0; i < rootCount; i++) {
      reach(roots[i], ROOT, reachedFrom, queue, tail);
    }
    List<Piece> found = new ArrayList<>();
    for (int head = 0; head < tail[0]; head++) {
      int place = queue[head];
      long bytes = largeBytes(place);
      if (bytes >= minBytes) {
        found.add(new Piece(bytes, path(place, reachedFrom)));
      }
      if (!exempt.contains(className(place)) && !className(place).equals(JDK_IMAGE)) {
        references(place, (to, by) -> reach(to, place, reachedFrom, queue, tail));
      }
    }
    return found;
  }

  private void reach(long id, int from, int[] reachedFrom, int[] queue, int[] tail) {
    int place = id == 0 ? -1 : place(id);
    if (place >= 0 && reachedFrom[place] == UNREACHED) {
      reachedFrom[place] = from;
      queue[tail[0]++] = place;
    }
  }

  private String path(int place, int[] reachedFrom) {
    StringBuilder path = new StringBuilder(className(place));
    for (int to = place, from = reachedFrom[to]; from != ROOT; to = from, from = reachedFrom[to]) {
      path.insert(0, className(from) + "." + reference(from, ids[to]) + Piece.ARROW);
    }
    return path.toString();
  }

  /** Returns the name of the first field or element of an object that refers to another object. */
  private String reference(int from, long to) {
    String[] name = new String[1];
    references(from, (target, by) -> {
      if (target == to && name[0] == null) {
        name[0] = by;
      }
    });
    return name[0];
  }

  /** Returns the name of the class of an object, or of the class itself. */
  private String className(int place) {
    int at = positions[place];
    return switch (dump.get(at)) {
      case CLASS_DUMP -> "class " + classNames.get(ids[place]);
      case INSTANCE_DUMP -> classNames.get(dump.getLong(at + 13));
      case OBJECT_ARRAY_DUMP -> "Object[]";
      default -> "array";
    };
  }

  /** Returns the size of a buffer outside of the heap or of an array; 0 for other objects. */
  private long largeBytes(int place) {
    int at = positions[place];
    if (dump.get(at) == PRIMITIVE_ARRAY_DUMP) {
      return (long) dump.getInt(at + 13) * TYPE_BYTES[dump.get(at + 17)];
    }
    String name = dump.get(at) == INSTANCE_DUMP ? className(place) : "";
    long[] capacity = new long[1];
    // Includes views of any kind, with or without write access.
    if (name.equals("java.nio.DirectByteBuffer") || name.equals("java.nio.DirectByteBufferR")) {
      fields(at, (field, position) -> {
        if (field.name.equals("capacity")) {
          capacity[0] = dump.getInt(position);
        }
      });
    }
    return capacity[0];
  }

  private interface FieldVisitor {
    void field(Field field, int position);
  }

  /** Visits the fields of an instance: those of its class, then those of each superclass. */
  private void fields(int at, FieldVisitor visitor) {
    int position = at + 25;
    Shape shape = shapes.get(dump.getLong(at + 13));
    while (shape != null) {
      for (Field field : shape.fields) {
        visitor.field(field, position);
        position += TYPE_BYTES[field.type];
      }
      shape = shapes.get(shape.superId);
    }
  }

  private interface Edges {
    void reference(long to, String by);
  }

  private void references(int place, Edges edges) {
    int at = positions[place];
    switch (dump.get(at)) {
      case CLASS_DUMP -> {
        Shape shape = shapes.get(ids[place]);
        shape.statics.forEach(field -> edges.reference(field.to, field.name));
        edges.reference(shape.superId, "super");
      }
      case INSTANCE_DUMP -> {
        edges.reference(dump.getLong(at + 13), "class");
        boolean weak = isWeak(dump.getLong(at + 13));
        fields(at, (field, position) -> {
          if (field.type == OBJECT && !(weak && field.name.equals("referent"))) {
            edges.reference(dump.getLong(position), field.name);
          }
        });
      }
      case OBJECT_ARRAY_DUMP -> {
        int length = dump.getInt(at + 13);
        for (int i = 0; i < length; i++) {
          edges.reference(dump.getLong(at + 25 + 8 * i), "[]");
        }
      }
      default -> {
        // An array of primitives has no references.
      }
    }
  }

  /** A soft reference counts as strong, because memory outside of the heap does not make the collector clear it. */
  private boolean isWeak(long classId) {
    for (long id = classId; id != 0; id = shapes.get(id).superId) {
      switch (classNames.get(id)) {
        case "java.lang.ref.WeakReference",
            "java.lang.ref.PhantomReference",
            "java.lang.ref.FinalReference" -> {
          return true;
        }
        default -> {
          // The superclass may be weak.
        }
      }
    }
    return false;
  }

  /** Returns the position of an object in {@link #ids}, or -1. */
  private int place(long id) {
    int mask = placesByHash.length - 1;
    int slot = hash(id) & mask;
    while (placesByHash[slot] >= 0 && ids[placesByHash[slot]] != id) {
      slot = (slot + 1) & mask;
    }
    return placesByHash[slot];
  }

  private static int hash(long id) {
    return (int) ((id * 0x9E3779B97F4A7C15L) >>> 32);
  }

  private void index() {
    placesByHash = new int[Integer.highestOneBit(count) * 4];
    Arrays.fill(placesByHash, -1);
    int mask = placesByHash.length - 1;
    for (int place = 0; place < count; place++) {
      int slot = hash(ids[place]) & mask;
      while (placesByHash[slot] >= 0) {
        slot = (slot + 1) & mask;
      }
      placesByHash[slot] = place;
    }
  }

  private void add(long id, int position) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, 2 * count);
      positions = Arrays.copyOf(positions, 2 * count);
    }
    ids[count] = id;
    positions[count++] = position;
  }

  private void addRoot(long id) {
    if (rootCount == roots.length) {
      roots = Arrays.copyOf(roots, 2 * rootCount);
    }
    roots[rootCount++] = id;
  }

  private void read() {
    while (dump.get() != 0) {
      // Skips the name of the format.
    }
    int idBytes = dump.getInt();
    if (idBytes != Long.BYTES) {
      throw new IllegalStateException("identifiers of " + idBytes + " bytes");
    }
    dump.getLong();
    while (dump.hasRemaining()) {
      int tag = dump.get();
      dump.getInt();
      int length = dump.getInt();
      int end = dump.position() + length;
      switch (tag) {
        case STRING -> {
          long id = dump.getLong();
          byte[] text = new byte[end - dump.position()];
          dump.get(text);
          strings.put(id, new String(text, StandardCharsets.UTF_8));
        }
        case LOAD_CLASS -> {
          dump.getInt();
          long id = dump.getLong();
          dump.getInt();
          classNames.put(id, strings.get(dump.getLong()).replace('/', '.'));
        }
        case HEAP_DUMP, HEAP_DUMP_SEGMENT -> readSegment(end);
        default -> {
          // Stack traces, and the end of the dump.
        }
      }
      dump.position(end);
    }
  }

  private void readSegment(int end) {
    while (dump.position() < end) {
      int at = dump.position();
      int tag = dump.get() & 0xFF;
      long id = dump.getLong();
      switch (tag) {
        case CLASS_DUMP -> {
          add(id, at);
          readClass(id);
        }
        case INSTANCE_DUMP -> {
          add(id, at);
          skip(12);
          skip(dump.getInt());
        }
        case OBJECT_ARRAY_DUMP -> {
          add(id, at);
          skip(4);
          int length = dump.getInt();
          skip(8 + 8 * length);
        }
        case PRIMITIVE_ARRAY_DUMP -> {
          add(id, at);
          skip(4);
          int length = dump.getInt();
          skip(length * TYPE_BYTES[dump.get()]);
        }
        default -> {
          addRoot(id);
          skip(rootBytes(tag));
        }
      }
    }
  }

  /** Returns the number of bytes after the object's identifier in the record of a root. */
  private static int rootBytes(int tag) {
    return switch (tag) {
      // Unknown, system class, monitor in use.
      case 0xFF, 0x05, 0x07 -> 0;
      // Native stack, thread block.
      case 0x04, 0x06 -> 4;
      // Global and local references of native code, a frame of a thread, a thread.
      case 0x01, 0x02, 0x03, 0x08 -> 8;
      default -> throw new IllegalStateException("unknown record " + tag);
    };
  }

  private void readClass(long id) {
    skip(4);
    long superId = dump.getLong();
    skip(5 * 8 + 4);
    for (int constants = dump.getShort() & 0xFFFF; constants > 0; constants--) {
      skip(2);
      skip(TYPE_BYTES[dump.get()]);
    }
    List<Static> statics = new ArrayList<>();
    for (int left = dump.getShort() & 0xFFFF; left > 0; left--) {
      String name = strings.get(dump.getLong());
      int type = dump.get();
      if (type == OBJECT) {
        statics.add(new Static("static " + name, dump.getLong()));
      } else {
        skip(TYPE_BYTES[type]);
      }
    }
    List<Field> fields = new ArrayList<>();
    for (int left = dump.getShort() & 0xFFFF; left > 0; left--) {
      fields.add(new Field(strings.get(dump.getLong()), dump.get()));
    }
    shapes.put(id, new Shape(superId, fields, statics));
  }

  private void skip(int bytes) {
    dump.position(dump.position() + bytes);
  }
}
