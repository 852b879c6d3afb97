package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i16;
import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i64;
import static io.railflux.fabric.verbs.internal.CStruct.i8;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** An array of {@code struct ibv_wc}, filled by polling a completion queue. No method allocates. */
public final class IbvWc {

  public static final int SUCCESS = 0;
  public static final int LOC_LEN_ERR = 1;
  public static final int LOC_QP_OP_ERR = 2;
  public static final int LOC_PROT_ERR = 4;
  public static final int WR_FLUSH_ERR = 5;
  public static final int LOC_ACCESS_ERR = 8;
  public static final int REM_INV_REQ_ERR = 9;
  public static final int REM_ACCESS_ERR = 10;
  public static final int REM_OP_ERR = 11;
  public static final int RETRY_EXC_ERR = 12;
  public static final int RNR_RETRY_EXC_ERR = 13;

  public static final int RECV = 1 << 7;
  public static final int RECV_RDMA_WITH_IMM = RECV + 1;

  public static final int WITH_IMM = 1 << 1;

  static final StructLayout LAYOUT = struct(
      "ibv_wc",
      i64("wr_id"),
      i32("status"),
      i32("opcode"),
      i32("vendor_err"),
      i32("byte_len"),
      i32("imm_data"),
      i32("qp_num"),
      i32("src_qp"),
      i32("wc_flags"),
      i16("pkey_index"),
      i16("slid"),
      i8("sl"),
      i8("dlid_path_bits"));

  private static final long WR_ID = offset(LAYOUT, "wr_id");
  private static final long STATUS = offset(LAYOUT, "status");
  private static final long OPCODE = offset(LAYOUT, "opcode");
  private static final long VENDOR_ERR = offset(LAYOUT, "vendor_err");
  private static final long BYTE_LEN = offset(LAYOUT, "byte_len");
  private static final long IMM_DATA = offset(LAYOUT, "imm_data");
  private static final long WC_FLAGS = offset(LAYOUT, "wc_flags");

  private final MemorySegment entries;
  private final int capacity;

  public IbvWc(NativeScope scope, int capacity) {
    this.entries = scope.allocate(LAYOUT.byteSize() * capacity, LAYOUT.byteAlignment());
    this.capacity = capacity;
  }

  public long address() {
    return entries.address();
  }

  public int capacity() {
    return capacity;
  }

  public long id(int index) {
    return entries.get(JAVA_LONG, at(index) + WR_ID);
  }

  public int status(int index) {
    return entries.get(JAVA_INT, at(index) + STATUS);
  }

  /** Valid after success only. */
  public int opcode(int index) {
    return entries.get(JAVA_INT, at(index) + OPCODE);
  }

  public int vendorError(int index) {
    return entries.get(JAVA_INT, at(index) + VENDOR_ERR);
  }

  public int lengthBytes(int index) {
    return entries.get(JAVA_INT, at(index) + BYTE_LEN);
  }

  public int immediate(int index) {
    return Integer.reverseBytes(entries.get(JAVA_INT, at(index) + IMM_DATA));
  }

  public boolean hasImmediate(int index) {
    return (entries.get(JAVA_INT, at(index) + WC_FLAGS) & WITH_IMM) != 0;
  }

  private static long at(int index) {
    return index * LAYOUT.byteSize();
  }
}
