package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** Public part of {@code struct ibv_cq}. */
public record IbvCq(long context, long channel, int entries) {

  static final StructLayout LAYOUT = struct(
      "ibv_cq",
      pointer("context"),
      pointer("channel"),
      pointer("cq_context"),
      i32("handle"),
      i32("cqe"));

  public static IbvCq at(long address) {
    MemorySegment cq = MemorySegment.ofAddress(address).reinterpret(LAYOUT.byteSize());
    return new IbvCq(
        cq.get(JAVA_LONG, offset(LAYOUT, "context")),
        cq.get(JAVA_LONG, offset(LAYOUT, "channel")),
        cq.get(JAVA_INT, offset(LAYOUT, "cqe")));
  }
}
