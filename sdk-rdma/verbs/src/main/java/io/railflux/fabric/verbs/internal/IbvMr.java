package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i64;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct ibv_mr}: a registered memory region and its keys. */
public record IbvMr(long context, long pd, long memory, long lengthBytes, int lkey, int rkey) {

  public static final int LOCAL_WRITE = 1;
  public static final int REMOTE_WRITE = 1 << 1;
  public static final int REMOTE_READ = 1 << 2;
  public static final int REMOTE_ATOMIC = 1 << 3;

  static final StructLayout LAYOUT = struct(
      "ibv_mr",
      pointer("context"),
      pointer("pd"),
      pointer("addr"),
      i64("length"),
      i32("handle"),
      i32("lkey"),
      i32("rkey"));

  public static IbvMr at(long address) {
    MemorySegment mr = MemorySegment.ofAddress(address).reinterpret(LAYOUT.byteSize());
    return new IbvMr(
        mr.get(JAVA_LONG, offset(LAYOUT, "context")),
        mr.get(JAVA_LONG, offset(LAYOUT, "pd")),
        mr.get(JAVA_LONG, offset(LAYOUT, "addr")),
        mr.get(JAVA_LONG, offset(LAYOUT, "length")),
        mr.get(JAVA_INT, offset(LAYOUT, "lkey")),
        mr.get(JAVA_INT, offset(LAYOUT, "rkey")));
  }
}
