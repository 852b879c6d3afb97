package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.bytes;
import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.longs;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct ibv_qp_attr}, with the mask of its valid members. */
public final class IbvQpAttr {

  public static final int STATE = 1;
  public static final int ACCESS_FLAGS = 1 << 3;
  public static final int TIMEOUT = 1 << 9;
  public static final int RETRY_CNT = 1 << 10;
  public static final int RNR_RETRY = 1 << 11;
  public static final int MAX_QP_RD_ATOMIC = 1 << 13;
  public static final int MIN_RNR_TIMER = 1 << 15;
  public static final int MAX_DEST_RD_ATOMIC = 1 << 17;

  public static final int RESET = 0;
  public static final int INIT = 1;
  public static final int RTR = 2;
  public static final int RTS = 3;
  public static final int ERR = 6;

  static final StructLayout LAYOUT = struct(
      "ibv_qp_attr",
      i32("qp_state"),
      i32("cur_qp_state"),
      i32("path_mtu"),
      i32("path_mig_state"),
      i32("qkey"),
      i32("rq_psn"),
      i32("sq_psn"),
      i32("dest_qp_num"),
      i32("qp_access_flags"),
      IbvQpCap.LAYOUT.withName("cap"),
      longs("ah_attr", 4),
      longs("alt_ah_attr", 4),
      bytes("pkey_index, alt_pkey_index, en_sqd_async_notify, sq_draining", 6),
      bytes("max_rd_atomic", 1),
      bytes("max_dest_rd_atomic", 1),
      bytes("min_rnr_timer", 1),
      bytes("port_num", 1),
      bytes("timeout", 1),
      bytes("retry_cnt", 1),
      bytes("rnr_retry", 1),
      bytes("alt_port_num, alt_timeout", 2),
      i32("rate_limit"));

  private final MemorySegment attributes;
  private final MemorySegment mask;

  public IbvQpAttr(NativeScope scope) {
    attributes = scope.allocate(LAYOUT.byteSize(), Long.BYTES);
    mask = scope.allocate(Integer.BYTES, Integer.BYTES);
  }

  public long address() {
    return attributes.address();
  }

  public long maskAddress() {
    return mask.address();
  }

  public int mask() {
    return mask.get(JAVA_INT, 0);
  }

  public IbvQpAttr mask(int value) {
    mask.set(JAVA_INT, 0, value);
    return this;
  }

  public int state() {
    return attributes.get(JAVA_INT, offset(LAYOUT, "qp_state"));
  }

  public IbvQpAttr state(int state) {
    attributes.set(JAVA_INT, offset(LAYOUT, "qp_state"), state);
    return this;
  }

  public IbvQpAttr access(int flags) {
    attributes.set(JAVA_INT, offset(LAYOUT, "qp_access_flags"), flags);
    return this;
  }

  /** Concurrent reads and atomics of this side. */
  public IbvQpAttr maxRdAtomic(int count) {
    return set("max_rd_atomic", count);
  }

  /** Concurrent reads and atomics of the peer. */
  public IbvQpAttr maxDestRdAtomic(int count) {
    return set("max_dest_rd_atomic", count);
  }

  public IbvQpAttr minRnrTimer(int code) {
    return set("min_rnr_timer", code);
  }

  /** 4.096 µs times two to this power. */
  public IbvQpAttr timeout(int exponent) {
    return set("timeout", exponent);
  }

  public IbvQpAttr retries(int transport, int receiverNotReady) {
    return set("retry_cnt", transport).set("rnr_retry", receiverNotReady);
  }

  private IbvQpAttr set(String member, int value) {
    attributes.set(JAVA_BYTE, offset(LAYOUT, member), (byte) value);
    return this;
  }
}
