package io.railflux.fabric.verbs.device;

import io.railflux.fabric.verbs.internal.IbvContext;
import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.IbvQp;
import io.railflux.fabric.verbs.internal.IbvQpAttr;
import io.railflux.fabric.verbs.internal.IbvQpCap;
import io.railflux.fabric.verbs.internal.IbvQpInitAttr;
import io.railflux.fabric.verbs.internal.IbvRecvWr;
import io.railflux.fabric.verbs.internal.IbvSendWr;
import io.railflux.fabric.verbs.internal.LibIbverbs;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import io.railflux.fabric.verbs.internal.rdmacm.LibRdmacm;
import io.railflux.fabric.verbs.memory.ProtectionDomain;
import java.lang.foreign.MemorySegment;

/**
 * A queue pair of a reliable connection. The fabric changes its states itself, because receives are posted before
 * RTR, and the time-outs differ from those of the connection manager.
 *
 * <p>A loss is reported after about (retries + 1) × 4.096 µs × 2^timeout: 0.5 s. Seven retries would be unlimited on
 * soft-RoCE.
 */
public final class QueuePair implements AutoCloseable {

  public static final int RETRIES = 6;
  public static final int FOR_EVER = 7;

  private static final int TIMEOUT_EXPONENT = 14;

  /** 0.64 ms until a sender retries without a posted receive; 0 would be 655 ms. */
  private static final int RNR_TIMER = 12;

  /** Bits of old kernels with another meaning in this library. */
  private static final int FOREIGN_MASK_BITS = 0xE00000;

  private final NativeScope scope = new NativeScope("queue pair");
  private final IbvContext context;
  private final IbvQpInitAttr init;
  private final IbvQpAttr attributes;
  private final IbvSendWr request;
  private final IbvRecvWr receive;
  private final MemorySegment bad;
  private final long qp;

  public QueuePair(IbvContext context, ProtectionDomain domain, long cq, IbvQpCap cap)
      throws NativeFailure {
    this.context = context;
    this.init = new IbvQpInitAttr(scope, cq, cap);
    this.attributes = new IbvQpAttr(scope);
    this.request = new IbvSendWr(scope);
    this.receive = new IbvRecvWr(scope);
    this.bad = scope.allocate(Long.BYTES, Long.BYTES);
    try {
      qp = LibIbverbs.createQp(domain.address(), init);
    } catch (NativeFailure e) {
      scope.close();
      throw e;
    }
    scope.adopt(qp, () -> LibIbverbs.destroyQp(qp));
  }

  public long address() {
    return qp;
  }

  public IbvQp structure() {
    return IbvQp.at(qp);
  }

  /** Returns the granted size, at least the requested one. */
  IbvQpCap cap() {
    return init.granted();
  }

  int queriedState() throws NativeFailure {
    LibIbverbs.queryState(qp, attributes, init);
    return attributes.state();
  }

  /**
   * Binds the queue pair to a port.
   *
   * @param id connection with the address and port
   */
  public void toInit(long id) throws NativeFailure {
    prepare(id, IbvQpAttr.INIT);
    attributes.access(IbvMr.REMOTE_WRITE | IbvMr.REMOTE_READ | IbvMr.REMOTE_ATOMIC);
    modify(IbvQpAttr.ACCESS_FLAGS);
  }

  /**
   * Accepts requests of the peer.
   *
   * @param peerReads reads and atomics of the peer that proceed concurrently
   */
  public void toReadyToReceive(long id, int peerReads) throws NativeFailure {
    prepare(id, IbvQpAttr.RTR);
    attributes.maxDestRdAtomic(peerReads).minRnrTimer(RNR_TIMER);
    modify(IbvQpAttr.MAX_DEST_RD_ATOMIC | IbvQpAttr.MIN_RNR_TIMER);
  }

  /**
   * Accepts requests of this side.
   *
   * @param ownReads reads and atomics of this side that proceed concurrently
   */
  public void toReadyToSend(long id, int ownReads) throws NativeFailure {
    prepare(id, IbvQpAttr.RTS);
    attributes.maxRdAtomic(ownReads).timeout(TIMEOUT_EXPONENT).retries(RETRIES, FOR_EVER);
    modify(
        IbvQpAttr.MAX_QP_RD_ATOMIC | IbvQpAttr.TIMEOUT | IbvQpAttr.RETRY_CNT | IbvQpAttr.RNR_RETRY);
  }

  /** Flushes all posted requests; soon afterwards no access of the peer takes effect. */
  public void toError() throws NativeFailure {
    attributes.state(IbvQpAttr.ERR).mask(IbvQpAttr.STATE);
    LibIbverbs.modifyQp(qp, attributes);
  }

  private void prepare(long id, int state) throws NativeFailure {
    attributes.state(state).mask(0);
    LibRdmacm.initQpAttr(id, attributes);
  }

  private void modify(int furtherMask) throws NativeFailure {
    attributes.mask((attributes.mask() & ~FOREIGN_MASK_BITS) | furtherMask);
    LibIbverbs.modifyQp(qp, attributes);
  }

  /** Returns the request to fill for {@link #post}. */
  public IbvSendWr request() {
    return request;
  }

  /** Returns 0 or an error number. */
  public int post() {
    return context.postSend(qp, request, bad);
  }

  /** Returns 0 or an error number. */
  public int postReceive(long id, long address, int length, int lkey) {
    receive.receive(id, address, length, lkey);
    return context.postReceive(qp, receive, bad);
  }

  @Override
  public void close() {
    scope.close();
  }
}
