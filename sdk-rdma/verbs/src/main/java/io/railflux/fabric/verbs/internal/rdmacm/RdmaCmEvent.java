package io.railflux.fabric.verbs.internal.rdmacm;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i8;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;

/**
 * A copy of {@code struct rdma_cm_event}, which belongs to the library only until it is acknowledged.
 *
 * @param id connection of the event
 * @param listenId listener of a connection request
 * @param status 0, a negative error number, or the reason of a rejection
 * @param privateData data of the peer, padded with zeros by the connection manager
 * @param responderResources concurrent reads and atomics that the peer requests for itself
 * @param initiatorDepth concurrent reads and atomics of this side that the peer permits
 */
public record RdmaCmEvent(
    Type type,
    long id,
    long listenId,
    int status,
    ByteBuffer privateData,
    int responderResources,
    int initiatorDepth) {

  /** {@code enum rdma_cm_event_type}, in its order. */
  public enum Type {
    ADDR_RESOLVED,
    ADDR_ERROR,
    ROUTE_RESOLVED,
    ROUTE_ERROR,
    CONNECT_REQUEST,
    CONNECT_RESPONSE,
    CONNECT_ERROR,
    UNREACHABLE,
    REJECTED,
    ESTABLISHED,
    DISCONNECTED,
    DEVICE_REMOVAL,
    MULTICAST_JOIN,
    MULTICAST_ERROR,
    ADDR_CHANGE,
    TIMEWAIT_EXIT,
    /** An event of a later version of the library. */
    OTHER;

    private static final Type[] ALL = values();

    static Type of(int code) {
      return code >= 0 && code < OTHER.ordinal() ? ALL[code] : OTHER;
    }
  }

  /** Status of {@link Type#REJECTED} by the program of the peer. */
  public static final int REJECTED_BY_CONSUMER = 28;

  public static final StructLayout LAYOUT = struct(
      "rdma_cm_event",
      pointer("id"),
      pointer("listen_id"),
      i32("event"),
      i32("status"),
      pointer("param.conn.private_data"),
      i8("param.conn.private_data_len"),
      i8("param.conn.responder_resources"),
      i8("param.conn.initiator_depth"),
      i8("param.conn.flow_control"),
      i8("param.conn.retry_count"),
      i8("param.conn.rnr_retry_count"),
      i8("param.conn.srq"),
      i32("param.conn.qp_num"));

  static RdmaCmEvent copyOf(long address) {
    MemorySegment event = MemorySegment.ofAddress(address).reinterpret(LAYOUT.byteSize());
    long data = event.get(JAVA_LONG, offset(LAYOUT, "param.conn.private_data"));
    int length = unsignedByte(event, "param.conn.private_data_len");
    byte[] privateData = data == 0
        ? new byte[0]
        : MemorySegment.ofAddress(data).reinterpret(length).toArray(JAVA_BYTE);
    return new RdmaCmEvent(
        Type.of(event.get(JAVA_INT, offset(LAYOUT, "event"))),
        event.get(JAVA_LONG, offset(LAYOUT, "id")),
        event.get(JAVA_LONG, offset(LAYOUT, "listen_id")),
        event.get(JAVA_INT, offset(LAYOUT, "status")),
        ByteBuffer.wrap(privateData),
        unsignedByte(event, "param.conn.responder_resources"),
        unsignedByte(event, "param.conn.initiator_depth"));
  }

  private static int unsignedByte(MemorySegment event, String member) {
    return Byte.toUnsignedInt(event.get(JAVA_BYTE, offset(LAYOUT, member)));
  }
}
