package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.bytes;
import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i64;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_send_wr} with one scatter/gather entry, refilled for every request. The layout of the union {@code
 * wr} contains only the members for one-sided requests and atomics. No method allocates.
 */
public final class IbvSendWr {

  public static final int RDMA_WRITE = 0;
  public static final int RDMA_WRITE_WITH_IMM = 1;
  public static final int SEND = 2;
  public static final int SEND_WITH_IMM = 3;
  public static final int RDMA_READ = 4;
  public static final int ATOMIC_CMP_AND_SWP = 5;
  public static final int ATOMIC_FETCH_AND_ADD = 6;

  public static final int FENCE = 1;
  public static final int SIGNALED = 1 << 1;
  public static final int SOLICITED = 1 << 2;
  public static final int INLINE = 1 << 3;

  static final StructLayout LAYOUT = struct(
      "ibv_send_wr",
      i64("wr_id"),
      pointer("next"),
      pointer("sg_list"),
      i32("num_sge"),
      i32("opcode"),
      i32("send_flags"),
      i32("imm_data"),
      i64("wr.remote_addr"),
      i64("wr.compare_add"), // For one-sided requests: the 32 bits of rkey.
      i64("wr.swap"),
      i32("wr.atomic.rkey"),
      bytes("qp_type, bind_mw, tso", 60));

  private static final long WR_ID = offset(LAYOUT, "wr_id");
  private static final long SG_LIST = offset(LAYOUT, "sg_list");
  private static final long NUM_SGE = offset(LAYOUT, "num_sge");
  private static final long OPCODE = offset(LAYOUT, "opcode");
  private static final long SEND_FLAGS = offset(LAYOUT, "send_flags");
  private static final long IMM_DATA = offset(LAYOUT, "imm_data");
  private static final long REMOTE_ADDR = offset(LAYOUT, "wr.remote_addr");
  private static final long RKEY = offset(LAYOUT, "wr.compare_add");
  private static final long COMPARE_ADD = offset(LAYOUT, "wr.compare_add");
  private static final long SWAP = offset(LAYOUT, "wr.swap");
  private static final long ATOMIC_RKEY = offset(LAYOUT, "wr.atomic.rkey");

  private final MemorySegment wr;
  private final IbvSge sge;

  public IbvSendWr(NativeScope scope) {
    wr = scope.allocate(LAYOUT.byteSize(), LAYOUT.byteAlignment());
    sge = new IbvSge(scope);
    wr.set(JAVA_LONG, SG_LIST, sge.address());
  }

  public long address() {
    return wr.address();
  }

  public IbvSendWr request(long id, int opcode, int flags) {
    wr.set(JAVA_LONG, WR_ID, id);
    wr.set(JAVA_INT, OPCODE, opcode);
    wr.set(JAVA_INT, SEND_FLAGS, flags);
    return this;
  }

  public IbvSendWr addFlags(int flags) {
    wr.set(JAVA_INT, SEND_FLAGS, wr.get(JAVA_INT, SEND_FLAGS) | flags);
    return this;
  }

  /** Becomes a send of one byte from memory that {@code lkey} does not cover, which fails in its turn. */
  public IbvSendWr spoil(int lkey) {
    wr.set(JAVA_INT, OPCODE, SEND);
    wr.set(JAVA_INT, SEND_FLAGS, SIGNALED);
    return local(0, 1, lkey);
  }

  /** Sets the local source or sink; none if {@code length} is 0. */
  public IbvSendWr local(long address, int length, int lkey) {
    wr.set(JAVA_INT, NUM_SGE, length == 0 ? 0 : 1);
    sge.set(address, length, lkey);
    return this;
  }

  /**
   * Sets immediate data in host order. The wire format is big-endian, and {@link IbvWc} converts received data to host
   * order.
   */
  public IbvSendWr immediate(int value) {
    wr.set(JAVA_INT, IMM_DATA, Integer.reverseBytes(value));
    return this;
  }

  public IbvSendWr remote(long address, int rkey) {
    wr.set(JAVA_LONG, REMOTE_ADDR, address);
    wr.set(JAVA_LONG, RKEY, Integer.toUnsignedLong(rkey));
    return this;
  }

  public IbvSendWr atomic(long address, int rkey, long compareAdd, long swap) {
    wr.set(JAVA_LONG, REMOTE_ADDR, address);
    wr.set(JAVA_LONG, COMPARE_ADD, compareAdd);
    wr.set(JAVA_LONG, SWAP, swap);
    wr.set(JAVA_INT, ATOMIC_RKEY, rkey);
    return this;
  }
}
