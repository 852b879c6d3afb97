package io.railflux.fabric.verbs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmEvent;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmId;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaConnParam;
import java.lang.foreign.StructLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the layouts with the results of a C compiler ({@code offsetof}, {@code sizeof}). The headers of rdma-core
 * 28, 33, 39, 44, 50, 56, 60 and 64 agree on 64-bit Linux.
 */
class LayoutsTest {

  @ParameterizedTest
  @CsvSource({
    "wr_id, 0",
    "next, 8",
    "sg_list, 16",
    "num_sge, 24",
    "opcode, 28",
    "send_flags, 32",
    "imm_data, 36",
    "wr.remote_addr, 40",
    "wr.compare_add, 48",
    "wr.swap, 56",
    "wr.atomic.rkey, 64"
  })
  void ibvSendWr(String member, long offset) {
    at(IbvSendWr.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({"wr_id, 0", "next, 8", "sg_list, 16", "num_sge, 24"})
  void ibvRecvWr(String member, long offset) {
    at(IbvRecvWr.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({"addr, 0", "length, 8", "lkey, 12"})
  void ibvSge(String member, long offset) {
    at(IbvSge.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "wr_id, 0",
    "status, 8",
    "opcode, 12",
    "vendor_err, 16",
    "byte_len, 20",
    "imm_data, 24",
    "qp_num, 28",
    "src_qp, 32",
    "wc_flags, 36"
  })
  void ibvWc(String member, long offset) {
    at(IbvWc.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "device, 0", "ops.poll_cq, 96", "ops.req_notify_cq, 104", "ops.post_srq_recv, 168",
    "ops.post_send, 208", "ops.post_recv, 216", "cmd_fd, 264", "async_fd, 268",
    "num_comp_vectors, 272"
  })
  void ibvContext(String member, long offset) {
    at(IbvContext.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "qp_state, 0",
    "path_mtu, 8",
    "dest_qp_num, 28",
    "qp_access_flags, 32",
    "cap, 36",
    "max_rd_atomic, 126",
    "max_dest_rd_atomic, 127",
    "min_rnr_timer, 128",
    "port_num, 129",
    "timeout, 130",
    "retry_cnt, 131",
    "rnr_retry, 132"
  })
  void ibvQpAttr(String member, long offset) {
    at(IbvQpAttr.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "qp_context, 0",
    "send_cq, 8",
    "recv_cq, 16",
    "srq, 24",
    "cap, 32",
    "qp_type, 52",
    "sq_sig_all, 56"
  })
  void ibvQpInitAttr(String member, long offset) {
    at(IbvQpInitAttr.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "max_send_wr, 0",
    "max_recv_wr, 4",
    "max_send_sge, 8",
    "max_recv_sge, 12",
    "max_inline_data, 16"
  })
  void ibvQpCap(String member, long offset) {
    at(IbvQpCap.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "context, 0",
    "pd, 16",
    "send_cq, 24",
    "recv_cq, 32",
    "handle, 48",
    "qp_num, 52",
    "state, 56",
    "qp_type, 60"
  })
  void ibvQp(String member, long offset) {
    at(IbvQp.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({"context, 0", "channel, 8", "cq_context, 16", "handle, 24", "cqe, 28"})
  void ibvCq(String member, long offset) {
    at(IbvCq.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({"context, 0", "pd, 8", "addr, 16", "length, 24", "handle, 32", "lkey, 36", "rkey, 40"
  })
  void ibvMr(String member, long offset) {
    at(IbvMr.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "fw_ver, 0",
    "max_mr_size, 80",
    "max_qp, 108",
    "max_qp_wr, 112",
    "device_cap_flags, 116",
    "max_cqe, 132",
    "max_qp_rd_atom, 144",
    "max_qp_init_rd_atom, 156",
    "atomic_cap, 164",
    "phys_port_cnt, 227"
  })
  void ibvDeviceAttr(String member, long offset) {
    at(IbvDeviceAttr.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({"element, 0", "event_type, 8"})
  void ibvAsyncEvent(String member, long offset) {
    at(IbvAsyncEvent.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "verbs, 0",
    "channel, 8",
    "context, 16",
    "qp, 24",
    "route.addr.src_addr, 32",
    "route.addr.dst_addr, 160",
    "ps, 344",
    "port_num, 348"
  })
  void rdmaCmId(String member, long offset) {
    at(RdmaCmId.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "id, 0",
    "listen_id, 8",
    "event, 16",
    "status, 20",
    "param.conn.private_data, 24",
    "param.conn.private_data_len, 32",
    "param.conn.responder_resources, 33",
    "param.conn.initiator_depth, 34",
    "param.conn.qp_num, 40"
  })
  void rdmaCmEvent(String member, long offset) {
    at(RdmaCmEvent.LAYOUT, member, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "private_data, 0",
    "private_data_len, 8",
    "responder_resources, 9",
    "initiator_depth, 10",
    "flow_control, 11",
    "retry_count, 12",
    "rnr_retry_count, 13",
    "srq, 14",
    "qp_num, 16"
  })
  void rdmaConnParam(String member, long offset) {
    at(RdmaConnParam.LAYOUT, member, offset);
  }

  @Test
  void wholeStructuresHaveTheirSizeInC() {
    assertEquals(128, IbvSendWr.LAYOUT.byteSize());
    assertEquals(32, IbvRecvWr.LAYOUT.byteSize());
    assertEquals(16, IbvSge.LAYOUT.byteSize());
    assertEquals(48, IbvWc.LAYOUT.byteSize());
    assertEquals(144, IbvQpAttr.LAYOUT.byteSize());
    assertEquals(64, IbvQpInitAttr.LAYOUT.byteSize());
    assertEquals(232, IbvDeviceAttr.LAYOUT.byteSize());
    assertEquals(16, IbvAsyncEvent.LAYOUT.byteSize());
    assertEquals(24, RdmaConnParam.LAYOUT.byteSize());
  }

  @Test
  void epollEventsArePackedAsInTheKernel() {
    boolean x86 = "amd64".equals(System.getProperty("os.arch"));
    assertEquals(x86 ? 12 : 16, EpollEvent.BYTES);
  }

  private static void at(StructLayout layout, String member, long offset) {
    assertEquals(offset, CStruct.offset(layout, member), layout.name().orElseThrow());
  }
}
