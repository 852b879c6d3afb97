package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.struct;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_qp_cap}: the size of a queue pair.
 *
 * @param maxSendWr outstanding requests
 * @param maxRecvWr posted receives
 * @param maxInlineBytes longest request in bytes that is copied when it is posted
 */
public record IbvQpCap(int maxSendWr, int maxRecvWr, int maxInlineBytes) {

  static final StructLayout LAYOUT = struct(
      "ibv_qp_cap",
      i32("max_send_wr"),
      i32("max_recv_wr"),
      i32("max_send_sge"),
      i32("max_recv_sge"),
      i32("max_inline_data"));
}
