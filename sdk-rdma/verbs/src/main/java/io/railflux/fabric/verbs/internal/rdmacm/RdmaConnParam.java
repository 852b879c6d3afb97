package io.railflux.fabric.verbs.internal.rdmacm;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i8;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.railflux.fabric.verbs.internal.NativeScope;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;

/**
 * {@code struct rdma_conn_param}: the parameters of a connection request or its answer.
 *
 * @param privateData at most 56 bytes of a request, 196 of an answer
 * @param responderResources concurrent reads of the peer that this side permits
 * @param initiatorDepth concurrent reads of this side
 * @param retries transport retries of requests of this side
 * @param receiverNotReadyRetries retries without a receive of the peer; 7 means unlimited
 * @param queuePair number of the queue pair of this side
 */
public record RdmaConnParam(
    ByteBuffer privateData,
    int responderResources,
    int initiatorDepth,
    int retries,
    int receiverNotReadyRetries,
    int queuePair) {

  public static final StructLayout LAYOUT = struct(
      "rdma_conn_param",
      pointer("private_data"),
      i8("private_data_len"),
      i8("responder_resources"),
      i8("initiator_depth"),
      i8("flow_control"),
      i8("retry_count"),
      i8("rnr_retry_count"),
      i8("srq"),
      i32("qp_num"));

  MemorySegment in(NativeScope scope) {
    MemorySegment source = MemorySegment.ofBuffer(privateData);
    MemorySegment data = scope.allocate(Math.max(1, source.byteSize()), Long.BYTES);
    data.copyFrom(source);
    MemorySegment param = scope.allocate(LAYOUT.byteSize(), LAYOUT.byteAlignment());
    param.set(JAVA_LONG, offset(LAYOUT, "private_data"), data.address());
    set(param, "private_data_len", (int) source.byteSize());
    set(param, "responder_resources", responderResources);
    set(param, "initiator_depth", initiatorDepth);
    set(param, "flow_control", 1);
    set(param, "retry_count", retries);
    set(param, "rnr_retry_count", receiverNotReadyRetries);
    param.set(JAVA_INT, offset(LAYOUT, "qp_num"), queuePair);
    return param;
  }

  private static void set(MemorySegment param, String member, int value) {
    param.set(JAVA_BYTE, offset(LAYOUT, member), (byte) value);
  }
}
