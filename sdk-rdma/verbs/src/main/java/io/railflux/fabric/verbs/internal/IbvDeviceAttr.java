package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.bytes;
import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i64;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * Limits of a device, from {@code struct ibv_device_attr}.
 *
 * @param maxQpWr outstanding requests or receives per queue pair
 * @param maxCqe entries of a completion queue
 * @param maxQpRdAtom concurrent reads and atomics of the peer per queue pair
 * @param maxQpInitRdAtom concurrent reads and atomics of this side per queue pair
 * @param atomics whether the device supports atomics
 * @param ports number of physical ports
 */
public record IbvDeviceAttr(
    int maxQpWr, int maxCqe, int maxQpRdAtom, int maxQpInitRdAtom, boolean atomics, int ports) {

  static final StructLayout LAYOUT = struct(
      "ibv_device_attr",
      bytes("fw_ver", 64),
      i64("node_guid"),
      i64("sys_image_guid"),
      i64("max_mr_size"),
      i64("page_size_cap"),
      bytes("vendor_id, vendor_part_id, hw_ver", 12),
      i32("max_qp"),
      i32("max_qp_wr"),
      i32("device_cap_flags"),
      bytes("max_sge, max_sge_rd, max_cq", 12),
      i32("max_cqe"),
      bytes("max_mr, max_pd", 8),
      i32("max_qp_rd_atom"),
      bytes("max_ee_rd_atom, max_res_rd_atom", 8),
      i32("max_qp_init_rd_atom"),
      i32("max_ee_init_rd_atom"),
      i32("atomic_cap"),
      bytes("max_ee to max_srq_sge, 14 members", 56),
      bytes("max_pkeys", 2),
      bytes("local_ca_ack_delay", 1),
      bytes("phys_port_cnt", 1));

  static IbvDeviceAttr of(MemorySegment attributes) {
    return new IbvDeviceAttr(
        attributes.get(JAVA_INT, offset(LAYOUT, "max_qp_wr")),
        attributes.get(JAVA_INT, offset(LAYOUT, "max_cqe")),
        attributes.get(JAVA_INT, offset(LAYOUT, "max_qp_rd_atom")),
        attributes.get(JAVA_INT, offset(LAYOUT, "max_qp_init_rd_atom")),
        attributes.get(JAVA_INT, offset(LAYOUT, "atomic_cap")) != 0,
        attributes.get(JAVA_BYTE, offset(LAYOUT, "phys_port_cnt")));
  }
}
