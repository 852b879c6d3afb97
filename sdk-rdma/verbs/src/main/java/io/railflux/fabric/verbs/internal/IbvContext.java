package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.bytes;
import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.pointer;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * {@code struct ibv_context} with its {@code struct ibv_context_ops}. In C, posting and polling are inline functions
 * that call through these pointers. The calls do not allocate. Only the thread that owns a queue may call them.
 */
public final class IbvContext {

  static final StructLayout LAYOUT = struct(
      "ibv_context",
      pointer("device"),
      bytes("ops, the first 11", 88),
      pointer("ops.poll_cq"),
      pointer("ops.req_notify_cq"),
      bytes("ops, further 7", 56),
      pointer("ops.post_srq_recv"),
      bytes("ops, further 4", 32),
      pointer("ops.post_send"),
      pointer("ops.post_recv"),
      bytes("ops, the last 5", 40),
      i32("cmd_fd"),
      i32("async_fd"),
      i32("num_comp_vectors"));

  private static final MethodHandle POLL_CQ =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
  private static final MethodHandle REQ_NOTIFY_CQ =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle POST =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  private final long address;
  private final long device;
  private final int asyncFd;
  private final MemorySegment pollCq;
  private final MemorySegment reqNotifyCq;
  private final MemorySegment postSend;
  private final MemorySegment postRecv;

  public IbvContext(long address) {
    MemorySegment context = MemorySegment.ofAddress(address).reinterpret(LAYOUT.byteSize());
    this.address = address;
    this.device = context.get(JAVA_LONG, offset(LAYOUT, "device"));
    this.asyncFd = context.get(JAVA_INT, offset(LAYOUT, "async_fd"));
    this.pollCq = operation(context, "ops.poll_cq");
    this.reqNotifyCq = operation(context, "ops.req_notify_cq");
    this.postSend = operation(context, "ops.post_send");
    this.postRecv = operation(context, "ops.post_recv");
  }

  private static MethodHandle handle(FunctionDescriptor signature) {
    return Linker.nativeLinker().downcallHandle(signature);
  }

  private static MemorySegment operation(MemorySegment context, String member) {
    return MemorySegment.ofAddress(context.get(JAVA_LONG, offset(LAYOUT, member)));
  }

  /** Returns the {@code device} of any context, such as a context of librdmacm. */
  public static long deviceOf(long context) {
    return MemorySegment.ofAddress(context)
        .reinterpret(LAYOUT.byteSize())
        .get(JAVA_LONG, offset(LAYOUT, "device"));
  }

  public long address() {
    return address;
  }

  public long device() {
    return device;
  }

  public int asyncFd() {
    return asyncFd;
  }

  /** Whether the context has every function that this binding calls. */
  public boolean hasOperations() {
    return pollCq.address() != 0
        && reqNotifyCq.address() != 0
        && postSend.address() != 0
        && postRecv.address() != 0;
  }

  /** Returns the number of completions written to {@code into}; negative on failure. */
  public int pollCq(long cq, int limit, IbvWc into) {
    try {
      return (int) POLL_CQ.invokeExact(pollCq, cq, limit, into.address());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Requests one event at the next completion, or the next solicited one; returns 0 or an error number. */
  public int requestNotify(long cq, boolean solicitedOnly) {
    try {
      return (int) REQ_NOTIFY_CQ.invokeExact(reqNotifyCq, cq, solicitedOnly ? 1 : 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Returns 0 or an error number. */
  public int postSend(long qp, IbvSendWr request, MemorySegment badRequest) {
    try {
      return (int) POST.invokeExact(postSend, qp, request.address(), badRequest.address());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Returns 0 or an error number. */
  public int postReceive(long qp, IbvRecvWr receive, MemorySegment badReceive) {
    try {
      return (int) POST.invokeExact(postRecv, qp, receive.address(), badReceive.address());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static IllegalStateException unexpected(Throwable e) {
    return new IllegalStateException("a call through struct ibv_context failed", e);
  }
}
