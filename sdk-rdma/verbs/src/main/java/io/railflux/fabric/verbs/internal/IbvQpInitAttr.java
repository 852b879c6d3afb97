package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct ibv_qp_init_attr} of a reliable connection with one queue for all completions. */
public final class IbvQpInitAttr {

  public static final int RC = 2;

  static final StructLayout LAYOUT = struct(
      "ibv_qp_init_attr",
      pointer("qp_context"),
      pointer("send_cq"),
      pointer("recv_cq"),
      pointer("srq"),
      IbvQpCap.LAYOUT.withName("cap"),
      i32("qp_type"),
      i32("sq_sig_all"));

  private static final long CAP = offset(LAYOUT, "cap");

  private final MemorySegment attributes;

  public IbvQpInitAttr(NativeScope scope, long cq, IbvQpCap cap) {
    attributes = scope.allocate(LAYOUT.byteSize(), LAYOUT.byteAlignment());
    attributes.set(JAVA_LONG, offset(LAYOUT, "send_cq"), cq);
    attributes.set(JAVA_LONG, offset(LAYOUT, "recv_cq"), cq);
    attributes.set(JAVA_INT, offset(LAYOUT, "qp_type"), RC);
    capacity("max_send_wr", cap.maxSendWr());
    capacity("max_recv_wr", cap.maxRecvWr());
    capacity("max_send_sge", 1);
    capacity("max_recv_sge", 1);
    capacity("max_inline_data", cap.maxInlineBytes());
  }

  public long address() {
    return attributes.address();
  }

  /** Returns the granted size, at least the requested one. */
  public IbvQpCap granted() {
    return new IbvQpCap(
        capacity("max_send_wr"), capacity("max_recv_wr"), capacity("max_inline_data"));
  }

  private void capacity(String member, int value) {
    attributes.set(JAVA_INT, CAP + offset(IbvQpCap.LAYOUT, member), value);
  }

  private int capacity(String member) {
    return attributes.get(JAVA_INT, CAP + offset(IbvQpCap.LAYOUT, member));
  }
}
