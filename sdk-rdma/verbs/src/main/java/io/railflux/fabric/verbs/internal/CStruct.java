package io.railflux.fabric.verbs.internal;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Lays out members like a C compiler on 64-bit Linux: each aligned to its size, the end padded. */
public final class CStruct {

  private CStruct() {}

  public static MemoryLayout i8(String name) {
    return ValueLayout.JAVA_BYTE.withName(name);
  }

  public static MemoryLayout i16(String name) {
    return ValueLayout.JAVA_SHORT.withName(name);
  }

  public static MemoryLayout i32(String name) {
    return ValueLayout.JAVA_INT.withName(name);
  }

  public static MemoryLayout i64(String name) {
    return ValueLayout.JAVA_LONG.withName(name);
  }

  /** Represented as a {@code long}. */
  public static MemoryLayout pointer(String name) {
    return ValueLayout.JAVA_LONG.withName(name);
  }

  public static MemoryLayout bytes(String name, int count) {
    return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE).withName(name);
  }

  /** A member of {@code count} times 8 bytes, aligned to 8. */
  public static MemoryLayout longs(String name, int count) {
    return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_LONG).withName(name);
  }

  public static StructLayout struct(String name, MemoryLayout... members) {
    List<MemoryLayout> laidOut = new ArrayList<>();
    long end = 0;
    long alignment = 1;
    for (MemoryLayout member : members) {
      long padding = -end & member.byteAlignment() - 1;
      if (padding > 0) {
        laidOut.add(MemoryLayout.paddingLayout(padding));
      }
      laidOut.add(member);
      end += padding + member.byteSize();
      alignment = Math.max(alignment, member.byteAlignment());
    }
    long tail = -end & alignment - 1;
    if (tail > 0) {
      laidOut.add(MemoryLayout.paddingLayout(tail));
    }
    return MemoryLayout.structLayout(laidOut.toArray(MemoryLayout[]::new)).withName(name);
  }

  public static long offset(StructLayout struct, String member) {
    return struct.byteOffset(PathElement.groupElement(member));
  }
}
