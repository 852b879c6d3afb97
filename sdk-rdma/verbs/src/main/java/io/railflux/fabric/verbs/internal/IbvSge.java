package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i64;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct ibv_sge}: a piece of registered local memory. */
final class IbvSge {

  static final StructLayout LAYOUT = struct("ibv_sge", i64("addr"), i32("length"), i32("lkey"));

  private static final long ADDR = offset(LAYOUT, "addr");
  private static final long LENGTH = offset(LAYOUT, "length");
  private static final long LKEY = offset(LAYOUT, "lkey");

  private final MemorySegment sge;

  IbvSge(NativeScope scope) {
    sge = scope.allocate(LAYOUT.byteSize(), LAYOUT.byteAlignment());
  }

  long address() {
    return sge.address();
  }

  void set(long address, int length, int lkey) {
    sge.set(JAVA_LONG, ADDR, address);
    sge.set(JAVA_INT, LENGTH, length);
    sge.set(JAVA_INT, LKEY, lkey);
  }
}
