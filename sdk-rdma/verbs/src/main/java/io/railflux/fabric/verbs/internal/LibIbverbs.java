package io.railflux.fabric.verbs.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;

/**
 * Functions of {@code libibverbs.so.1} that are not inline. Addresses identify objects. Loading this class loads the
 * library; {@link NativeLibrary#load} reports failures before.
 */
public final class LibIbverbs {

  private static final SymbolLookup LIBRARY = NativeLibrary.IBVERBS.load();

  private static final NativeFunction GET_DEVICE_LIST = function("ibv_get_device_list");
  private static final NativeFunction FREE_DEVICE_LIST = function("ibv_free_device_list");
  private static final NativeFunction GET_DEVICE_NAME = function("ibv_get_device_name");
  private static final NativeFunction OPEN_DEVICE = function("ibv_open_device");
  private static final NativeFunction CLOSE_DEVICE = function("ibv_close_device");
  private static final NativeFunction QUERY_DEVICE = function("ibv_query_device");
  private static final NativeFunction GET_ASYNC_EVENT = function("ibv_get_async_event");
  private static final NativeFunction ACK_ASYNC_EVENT = function("ibv_ack_async_event");
  private static final NativeFunction CREATE_COMP_CHANNEL = function("ibv_create_comp_channel");
  private static final NativeFunction DESTROY_COMP_CHANNEL = function("ibv_destroy_comp_channel");
  private static final NativeFunction CREATE_CQ = function("ibv_create_cq");
  private static final NativeFunction DESTROY_CQ = function("ibv_destroy_cq");
  private static final NativeFunction GET_CQ_EVENT = function("ibv_get_cq_event");
  private static final NativeFunction ACK_CQ_EVENTS = function("ibv_ack_cq_events");
  private static final NativeFunction ALLOC_PD = function("ibv_alloc_pd");
  private static final NativeFunction DEALLOC_PD = function("ibv_dealloc_pd");
  private static final NativeFunction REG_MR_IOVA = function("ibv_reg_mr_iova");
  private static final NativeFunction DEREG_MR = function("ibv_dereg_mr");
  private static final NativeFunction CREATE_QP = function("ibv_create_qp");
  private static final NativeFunction DESTROY_QP = function("ibv_destroy_qp");
  private static final NativeFunction MODIFY_QP = function("ibv_modify_qp");
  private static final NativeFunction QUERY_QP = function("ibv_query_qp");
  private static final NativeFunction QUERY_PORT = function("ibv_query_port");

  /** Larger than {@code struct ibv_port_attr} of any version. The structure begins with the state. */
  private static final int PORT_ATTR_BYTES = 128;

  private static final int LONGEST_NAME = 64;

  private LibIbverbs() {}

  private static NativeFunction function(String name) {
    return new NativeFunction(LIBRARY, name);
  }

  /** Visitor of {@link #forEachDevice}. */
  @FunctionalInterface
  public interface DeviceVisitor {
    /**
     * Visits one device.
     *
     * @param device valid during the call
     */
    void visit(String name, long device) throws NativeFailure;
  }

  public static void forEachDevice(DeviceVisitor visitor) throws NativeFailure {
    long list = GET_DEVICE_LIST.pointer(0);
    try {
      for (long device : devices(list)) {
        visitor.visit(deviceName(device), device);
      }
    } finally {
      FREE_DEVICE_LIST.value(list);
    }
  }

  private static List<Long> devices(long list) {
    MemorySegment pointers = MemorySegment.ofAddress(list).reinterpret(Long.MAX_VALUE);
    List<Long> devices = new ArrayList<>();
    for (long i = 0; pointers.getAtIndex(JAVA_LONG, i) != 0; i++) {
      devices.add(pointers.getAtIndex(JAVA_LONG, i));
    }
    return devices;
  }

  public static String deviceName(long device) {
    return MemorySegment.ofAddress(GET_DEVICE_NAME.value(device))
        .reinterpret(LONGEST_NAME)
        .getString(0);
  }

  /** Opens a separate context, which does not receive asynchronous events of others. */
  public static long openDevice(long device) throws NativeFailure {
    return OPEN_DEVICE.pointer(device);
  }

  public static void closeDevice(long context) {
    CLOSE_DEVICE.value(context);
  }

  public static IbvDeviceAttr queryDevice(long context) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment attributes = scope.allocate(IbvDeviceAttr.LAYOUT.byteSize(), Long.BYTES);
      QUERY_DEVICE.zeroOrErrorNumber(context, attributes.address());
      return IbvDeviceAttr.of(attributes);
    }
  }

  public static boolean isPortActive(long context, int port) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment attributes = scope.allocate(PORT_ATTR_BYTES, Long.BYTES);
      QUERY_PORT.zeroOrErrorNumber(context, port, attributes.address());
      return attributes.get(JAVA_INT, 0) == 4;
    }
  }

  /** Fails with {@link Errno#EAGAIN} without an event, if the descriptor is non-blocking. */
  public static IbvAsyncEvent asyncEvent(long context) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment event = scope.allocate(IbvAsyncEvent.LAYOUT.byteSize(), Long.BYTES);
      GET_ASYNC_EVENT.valueOrMinusOne(context, event.address());
      IbvAsyncEvent copy = IbvAsyncEvent.of(event);
      ACK_ASYNC_EVENT.value(event.address());
      return copy;
    }
  }

  public static long createCompletionChannel(long context) throws NativeFailure {
    return CREATE_COMP_CHANNEL.pointer(context);
  }

  /** {@code fd} of {@code struct ibv_comp_channel}. */
  public static int completionChannelFd(long channel) {
    return MemorySegment.ofAddress(channel).reinterpret(16).get(JAVA_INT, 8);
  }

  public static void destroyCompletionChannel(long channel) {
    DESTROY_COMP_CHANNEL.value(channel);
  }

  public static long createCq(long context, int entries, long channel) throws NativeFailure {
    return CREATE_CQ.pointer(context, entries, 0, channel, 0);
  }

  public static void destroyCq(long cq) {
    DESTROY_CQ.value(cq);
  }

  /** Takes one event of the channel; fails with {@link Errno#EAGAIN} without one. */
  public static void takeCqEvent(long channel) throws NativeFailure {
    try (NativeScope scope = NativeScope.temporary()) {
      MemorySegment cq = scope.allocate(Long.BYTES, Long.BYTES);
      MemorySegment context = scope.allocate(Long.BYTES, Long.BYTES);
      GET_CQ_EVENT.valueOrMinusOne(channel, cq.address(), context.address());
      ACK_CQ_EVENTS.value(cq.get(JAVA_LONG, 0), 1);
    }
  }

  public static long allocPd(long context) throws NativeFailure {
    return ALLOC_PD.pointer(context);
  }

  public static void deallocPd(long pd) {
    DEALLOC_PD.value(pd);
  }

  /**
   * Registers memory under a chosen address.
   *
   * @param iova address for accesses by key; equal to {@code address} modulo the page size
   */
  public static long registerMemory(long pd, long address, long length, long iova, int access)
      throws NativeFailure {
    return REG_MR_IOVA.pointer(pd, address, length, iova, access);
  }

  public static void deregisterMemory(long mr) {
    DEREG_MR.value(mr);
  }

  public static long createQp(long pd, IbvQpInitAttr attributes) throws NativeFailure {
    return CREATE_QP.pointer(pd, attributes.address());
  }

  public static void modifyQp(long qp, IbvQpAttr attributes) throws NativeFailure {
    MODIFY_QP.zeroOrErrorNumber(qp, attributes.address(), attributes.mask());
  }

  /** Reads the state from the kernel into {@code attributes}. */
  public static void queryState(long qp, IbvQpAttr attributes, IbvQpInitAttr init)
      throws NativeFailure {
    QUERY_QP.zeroOrErrorNumber(qp, attributes.address(), IbvQpAttr.STATE, init.address());
  }

  public static void destroyQp(long qp) {
    DESTROY_QP.value(qp);
  }
}
