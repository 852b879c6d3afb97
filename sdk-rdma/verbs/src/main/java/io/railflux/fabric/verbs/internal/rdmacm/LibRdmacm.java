package io.railflux.fabric.verbs.internal.rdmacm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.railflux.fabric.verbs.internal.Errno;
import io.railflux.fabric.verbs.internal.IbvQpAttr;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeFunction;
import io.railflux.fabric.verbs.internal.NativeLibrary;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.net.InetSocketAddress;

/**
 * Functions of {@code librdmacm.so.1}. Addresses identify objects. Identifiers own no queue pair. The fabric creates
 * its queue pairs and changes their states with {@link #initQpAttr}.
 */
public final class LibRdmacm {

  private static final int PS_TCP = 0x106;

  private static final SymbolLookup LIBRARY = NativeLibrary.RDMACM.load();

  private static final NativeFunction CREATE_EVENT_CHANNEL = function("rdma_create_event_channel");
  private static final NativeFunction DESTROY_EVENT_CHANNEL =
      function("rdma_destroy_event_channel");
  private static final NativeFunction GET_CM_EVENT = function("rdma_get_cm_event");
  private static final NativeFunction ACK_CM_EVENT = function("rdma_ack_cm_event");
  private static final NativeFunction CREATE_ID = function("rdma_create_id");
  private static final NativeFunction DESTROY_ID = function("rdma_destroy_id");
  private static final NativeFunction BIND_ADDR = function("rdma_bind_addr");
  private static final NativeFunction LISTEN = function("rdma_listen");
  private static final NativeFunction GET_SRC_PORT = function("rdma_get_src_port");
  private static final NativeFunction RESOLVE_ADDR = function("rdma_resolve_addr");
  private static final NativeFunction RESOLVE_ROUTE = function("rdma_resolve_route");
  private static final NativeFunction INIT_QP_ATTR = function("rdma_init_qp_attr");
  private static final NativeFunction CONNECT = function("rdma_connect");
  private static final NativeFunction ESTABLISH = function("rdma_establish");
  private static final NativeFunction ACCEPT = function("rdma_accept");
  private static final NativeFunction REJECT = function("rdma_reject");
  private static final NativeFunction DISCONNECT = function("rdma_disconnect");

  private LibRdmacm() {}

  private static NativeFunction function(String name) {
    return new NativeFunction(LIBRARY, name);
  }

  public static long createEventChannel() throws NativeFailure {
    return CREATE_EVENT_CHANNEL.pointer();
  }

  /** {@code fd} of {@code struct rdma_event_channel}. */
  public static int eventChannelFd(long channel) {
    return MemorySegment.ofAddress(channel).reinterpret(Integer.BYTES).get(JAVA_INT, 0);
  }

  public static void destroyEventChannel(long channel) {
    DESTROY_EVENT_CHANNEL.value(channel);
  }

  /** Returns the next event, acknowledged; fails with {@link Errno#EAGAIN} without one. */
  public static RdmaCmEvent nextEvent(long channel) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment event = scope.allocate(Long.BYTES, Long.BYTES);
      GET_CM_EVENT.valueOrMinusOne(channel, event.address());
      long address = event.get(JAVA_LONG, 0);
      RdmaCmEvent copy = RdmaCmEvent.copyOf(address);
      ACK_CM_EVENT.value(address);
      return copy;
    }
  }

  public static long createId(long channel) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment id = scope.allocate(Long.BYTES, Long.BYTES);
      CREATE_ID.valueOrMinusOne(channel, id.address(), 0, PS_TCP);
      return id.get(JAVA_LONG, 0);
    }
  }

  public static void destroyId(long id) {
    DESTROY_ID.value(id);
  }

  public static void bind(long id, InetSocketAddress address) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      BIND_ADDR.valueOrMinusOne(id, SockAddr.of(address, scope).address());
    }
  }

  public static void listen(long id, int backlog) throws NativeFailure {
    LISTEN.valueOrMinusOne(id, backlog);
  }

  public static int sourcePort(long id) {
    short networkOrder = (short) GET_SRC_PORT.value(id);
    return Short.toUnsignedInt(Short.reverseBytes(networkOrder));
  }

  /**
   * Starts the search for the device of an address.
   *
   * @param from local address; null if the route selects it
   */
  public static void resolveAddress(
      long id, InetSocketAddress from, InetSocketAddress to, int timeoutMillis)
      throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      long source = from == null ? 0 : SockAddr.of(from, scope).address();
      long destination = SockAddr.of(to, scope).address();
      RESOLVE_ADDR.valueOrMinusOne(id, source, destination, timeoutMillis);
    }
  }

  public static void resolveRoute(long id, int timeoutMillis) throws NativeFailure {
    RESOLVE_ROUTE.valueOrMinusOne(id, timeoutMillis);
  }

  /** Fills the values of the connection manager for the state in {@code attributes}. */
  public static void initQpAttr(long id, IbvQpAttr attributes) throws NativeFailure {
    INIT_QP_ATTR.valueOrMinusOne(id, attributes.address(), attributes.maskAddress());
  }

  /** Sends REQ. */
  public static void connect(long id, RdmaConnParam param) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      CONNECT.valueOrMinusOne(id, param.in(scope).address());
    }
  }

  /** Sends RTU. */
  public static void establish(long id) throws NativeFailure {
    ESTABLISH.valueOrMinusOne(id);
  }

  /** Sends REP. */
  public static void accept(long id, RdmaConnParam param) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      ACCEPT.valueOrMinusOne(id, param.in(scope).address());
    }
  }

  /** Sends REJ, which may be lost. */
  public static void reject(long id, byte[] privateData) {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment data = scope.arena().allocateFrom(JAVA_BYTE, privateData);
      REJECT.value(id, data.address(), privateData.length);
    }
  }

  /** Sends DREQ for an existing connection, which may be lost. */
  public static void disconnect(long id) {
    DISCONNECT.value(id);
  }
}
