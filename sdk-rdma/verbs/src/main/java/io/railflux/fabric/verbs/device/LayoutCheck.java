package io.railflux.fabric.verbs.device;

import io.railflux.fabric.verbs.internal.IbvCq;
import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.IbvQp;
import io.railflux.fabric.verbs.internal.IbvQpAttr;
import io.railflux.fabric.verbs.internal.IbvQpCap;
import io.railflux.fabric.verbs.internal.IbvQpInitAttr;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import io.railflux.fabric.verbs.memory.ProtectionDomain;
import java.lang.foreign.MemorySegment;

/**
 * Verifies that the installed library has the layouts of the bindings: one object of each kind is created, and every
 * member that the bindings read must have the expected value.
 */
public final class LayoutCheck {

  /** Requested size; devices may grant less. */
  public static final int INLINE_BYTES = 128;

  private static final int MEMORY_BYTES = 4096;
  private static final int PROBE_SLOT = 0;

  private final Device device;

  private LayoutCheck(Device device) {
    this.device = device;
  }

  /**
   * Verifies the layouts with objects of a device.
   *
   * @param wanted size of later queue pairs
   * @return size granted by the device
   * @throws UnknownLayoutException if a member differs
   */
  public static IbvQpCap of(Device device, IbvQpCap wanted) throws NativeFailure {
    return new LayoutCheck(device).run(wanted);
  }

  private IbvQpCap run(IbvQpCap wanted) throws NativeFailure {
    same("ibv_context.ops", true, device.context().hasOperations());
    int entries = wanted.maxSendWr() + wanted.maxRecvWr();
    long context = device.context().address();
    try (CompletionQueue queue = new CompletionQueue(device.context(), entries, device.channel());
        ProtectionDomain domain = new ProtectionDomain(context, PROBE_SLOT)) {
      checkQueue(queue, entries);
      checkMemory(domain);
      try (QueuePair pair = new QueuePair(device.context(), domain, queue.address(), wanted)) {
        checkPair(pair, domain, queue);
        same("queue pair has the requested size", true, covers(pair.cap(), wanted));
        return pair.cap();
      }
    }
  }

  private static boolean covers(IbvQpCap granted, IbvQpCap wanted) {
    return granted.maxSendWr() >= wanted.maxSendWr()
        && granted.maxRecvWr() >= wanted.maxRecvWr()
        && granted.maxInlineBytes() >= 0;
  }

  private void checkQueue(CompletionQueue queue, int entries) {
    IbvCq cq = queue.structure();
    same("ibv_cq.context", device.context().address(), cq.context());
    same("ibv_cq.channel", device.channel(), cq.channel());
    same("ibv_cq.cqe", true, cq.entries() >= entries);
    same("completions of an empty queue", -1, queue.next());
  }

  private void checkMemory(ProtectionDomain domain) throws NativeFailure {
    try (NativeScope scope = new NativeScope("layout check")) {
      MemorySegment memory = scope.allocate(MEMORY_BYTES, MEMORY_BYTES);
      long mr = domain
          .register(memory.address(), MEMORY_BYTES, memory.address(), IbvMr.LOCAL_WRITE)
          .address();
      IbvMr structure = IbvMr.at(mr);
      same("ibv_mr.context", device.context().address(), structure.context());
      same("ibv_mr.pd", domain.address(), structure.pd());
      same("ibv_mr.addr", memory.address(), structure.memory());
      same("ibv_mr.length", MEMORY_BYTES, structure.lengthBytes());
      domain.deregisterAll();
    }
  }

  private void checkPair(QueuePair pair, ProtectionDomain domain, CompletionQueue queue)
      throws NativeFailure {
    IbvQp qp = pair.structure();
    same("ibv_qp.context", device.context().address(), qp.context());
    same("ibv_qp.pd", domain.address(), qp.pd());
    same("ibv_qp.send_cq", queue.address(), qp.sendCq());
    same("ibv_qp.qp_type", IbvQpInitAttr.RC, qp.type());
    same("ibv_qp.state", IbvQpAttr.RESET, qp.state());
    same("ibv_qp_attr.qp_state", IbvQpAttr.RESET, pair.queriedState());
    same("ibv_qp.qp_num has 24 bits", 0, qp.number() >>> 24);
  }

  private void same(String member, boolean expected, boolean found) {
    same(member, expected ? 1 : 0, found ? 1 : 0);
  }

  private void same(String member, long expected, long found) {
    if (expected != found) {
      throw new UnknownLayoutException(
          member + " of device " + device + " is " + found + " instead of " + expected);
    }
  }
}
