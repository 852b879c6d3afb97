package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.struct;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_qp_cap}: the size of a queue pair.
 *
 * @param maxSendWr requests outstanding
 * @param maxRecvWr receives posted
 * @param maxInlineBytes copied at posting
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
