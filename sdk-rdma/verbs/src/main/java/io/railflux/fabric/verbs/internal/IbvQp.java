package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** Public part of {@code struct ibv_qp}. */
public record IbvQp(long context, long pd, long sendCq, int number, int state, int type) {

  static final StructLayout LAYOUT = struct(
      "ibv_qp",
      pointer("context"),
      pointer("qp_context"),
      pointer("pd"),
      pointer("send_cq"),
      pointer("recv_cq"),
      pointer("srq"),
      i32("handle"),
      i32("qp_num"),
      i32("state"),
      i32("qp_type"));

  public static IbvQp at(long address) {
    MemorySegment qp = MemorySegment.ofAddress(address).reinterpret(LAYOUT.byteSize());
    return new IbvQp(
        qp.get(JAVA_LONG, offset(LAYOUT, "context")),
        qp.get(JAVA_LONG, offset(LAYOUT, "pd")),
        qp.get(JAVA_LONG, offset(LAYOUT, "send_cq")),
        qp.get(JAVA_INT, offset(LAYOUT, "qp_num")),
        qp.get(JAVA_INT, offset(LAYOUT, "state")),
        qp.get(JAVA_INT, offset(LAYOUT, "qp_type")));
  }
}
