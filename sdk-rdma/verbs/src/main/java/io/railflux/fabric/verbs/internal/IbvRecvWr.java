package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i64;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct ibv_recv_wr} with one scatter/gather entry, refilled for every receive. */
public final class IbvRecvWr {

  static final StructLayout LAYOUT =
      struct("ibv_recv_wr", i64("wr_id"), pointer("next"), pointer("sg_list"), i32("num_sge"));

  private static final long WR_ID = offset(LAYOUT, "wr_id");
  private static final long SG_LIST = offset(LAYOUT, "sg_list");
  private static final long NUM_SGE = offset(LAYOUT, "num_sge");

  private final MemorySegment wr;
  private final IbvSge sge;

  public IbvRecvWr(NativeScope scope) {
    wr = scope.allocate(LAYOUT.byteSize(), LAYOUT.byteAlignment());
    sge = new IbvSge(scope);
    wr.set(JAVA_LONG, SG_LIST, sge.address());
    wr.set(JAVA_INT, NUM_SGE, 1);
  }

  public long address() {
    return wr.address();
  }

  public void receive(long id, long address, int length, int lkey) {
    wr.set(JAVA_LONG, WR_ID, id);
    sge.set(address, length, lkey);
  }
}
