package io.railflux.fabric.verbs.internal.rdmacm;

import static io.railflux.fabric.verbs.internal.CStruct.bytes;
import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i8;
import static io.railflux.fabric.verbs.internal.CStruct.longs;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.net.InetSocketAddress;

/** Members of {@code struct rdma_cm_id}. */
public final class RdmaCmId {

  public static final StructLayout LAYOUT = struct(
      "rdma_cm_id",
      pointer("verbs"),
      pointer("channel"),
      pointer("context"),
      pointer("qp"),
      longs("route.addr.src_addr", 16),
      longs("route.addr.dst_addr", 16),
      bytes("route.addr.addr, route.path_rec, route.num_paths", 56),
      i32("ps"),
      i8("port_num"));

  private RdmaCmId() {}

  /** Returns the bound device, as a context of librdmacm; 0 before the address is resolved. */
  public static long verbs(long id) {
    return at(id).get(JAVA_LONG, offset(LAYOUT, "verbs"));
  }

  /** Returns the port of the bound device. */
  public static int port(long id) {
    return at(id).get(JAVA_BYTE, offset(LAYOUT, "port_num"));
  }

  public static InetSocketAddress local(long id) {
    return address(id, "route.addr.src_addr");
  }

  public static InetSocketAddress remote(long id) {
    return address(id, "route.addr.dst_addr");
  }

  private static InetSocketAddress address(long id, String member) {
    return SockAddr.read(at(id).asSlice(offset(LAYOUT, member), SockAddr.STORAGE_BYTES));
  }

  private static MemorySegment at(long id) {
    return MemorySegment.ofAddress(id).reinterpret(LAYOUT.byteSize());
  }
}
