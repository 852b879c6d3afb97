package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.IbvWC.IbvWcOpcode;
import com.ibm.disni.verbs.IbvWC.IbvWcStatus;
import io.railflux.fabric.disni.queue.Opcodes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

/** One end of a reliable connection. Requests take effect when they are posted, or as soon as possible. */
@SuppressWarnings("HidingField") // DiSNI's field is not accessible.
final class FakeQueuePair extends IbvQP {

  private final FakeRdma rdma;
  private final FakePd pd;
  private final FakeCq sendQueue;
  private final FakeCq receiveQueue;
  private final int sendDepth;
  private final int receiveDepth;
  private final Queue<FakeSend.Posted> requests = new ArrayDeque<>();
  private final Queue<FakeReceive> receives = new ArrayDeque<>();
  private FakeQueuePair peer;
  private boolean failed;

  /** Occupied places of the queue. A completed signaled request frees the places before it. */
  private int occupied;

  FakeQueuePair(FakeRdma rdma, FakePd pd, IbvQPInitAttr attributes) throws IOException {
    super(rdma.nextKey());
    this.rdma = rdma;
    this.pd = pd;
    this.sendQueue = (FakeCq) attributes.getSend_cq();
    this.receiveQueue = (FakeCq) attributes.getRecv_cq();
    this.sendDepth = attributes.cap().getMax_send_wr();
    this.receiveDepth = attributes.cap().getMax_recv_wr();
    pd.queuePairs++;
    sendQueue.queuePairs++;
  }

  int number() {
    return qp_num;
  }

  void pairWith(FakeQueuePair other) throws IOException {
    peer = other;
    other.peer = this;
  }

  void postSend(FakeSend.Posted request) throws IOException {
    synchronized (rdma) {
      if (occupied == sendDepth || !isOpen()) {
        throw new IOException("ibv_post_send failed: Cannot allocate memory\n");
      }
      occupied++;
      requests.add(request);
      run();
    }
  }

  void postReceive(FakeReceive receive) throws IOException {
    synchronized (rdma) {
      if (receives.size() == receiveDepth || !isOpen()) {
        throw new IOException("ibv_post_recv failed: Cannot allocate memory\n");
      }
      receives.add(receive);
      if (failed) {
        flush();
      } else if (peer != null) {
        peer.run();
      }
    }
  }

  private void run() {
    while (!failed && !requests.isEmpty()) {
      FakeSend.Posted request = requests.element();
      if (peer == null || peer.failed || !peer.isOpen()) {
        refuse(request, IbvWcStatus.IBV_WC_RETRY_EXC_ERR);
      } else if (request.isMessage() && peer.receives.isEmpty()) {
        return;
      } else {
        IbvWcStatus refusal = execute(request);
        if (refusal == null) {
          succeed(request);
        } else {
          refuse(request, refusal);
        }
      }
    }
    if (failed) {
      flush();
    }
  }

  /** Returns the failure of a request, or null if it took effect. */
  private IbvWcStatus execute(FakeSend.Posted request) {
    int bytes = request.length();
    boolean read = request.opcode() == IbvSendWR.IBV_WR_RDMA_READ;
    int localRights = read ? IbvMr.IBV_ACCESS_LOCAL_WRITE : 0;
    FakeMr local =
        bytes == 0 ? null : pd.find(request.localKey(), request.address(), bytes, localRights);
    if (bytes > 0 && local == null) {
      return IbvWcStatus.IBV_WC_LOC_PROT_ERR;
    }
    if (request.isSend()) {
      return peer.receive(request, local);
    }
    int rights = read ? IbvMr.IBV_ACCESS_REMOTE_READ : IbvMr.IBV_ACCESS_REMOTE_WRITE;
    FakeMr remote = bytes == 0
        ? null
        : peer.pd.find(request.remoteKey(), request.remoteAddress(), bytes, rights);
    if (bytes > 0 && remote == null) {
      peer.fail();
      return IbvWcStatus.IBV_WC_REM_ACCESS_ERR;
    }
    if (read && bytes > 0) {
      local.write(request.address(), remote.read(request.remoteAddress(), bytes));
    } else if (bytes > 0) {
      remote.write(request.remoteAddress(), local.read(request.address(), bytes));
    }
    if (request.isMessage()) {
      peer.complete(peer.receives.remove(), IbvWcOpcode.IBV_WC_RECV_RDMA_WITH_IMM, request);
    }
    return null;
  }

  private IbvWcStatus receive(FakeSend.Posted request, FakeMr from) {
    FakeReceive receive = receives.remove();
    int bytes = request.length();
    FakeMr into =
        pd.find(receive.localKey(), receive.address(), bytes, IbvMr.IBV_ACCESS_LOCAL_WRITE);
    if (bytes > receive.length() || into == null) {
      receiveQueue.add(
          completion(receive.getWr_id(), IbvWcStatus.IBV_WC_LOC_LEN_ERR, 128, request));
      fail();
      return IbvWcStatus.IBV_WC_REM_INV_REQ_ERR;
    }
    if (bytes > 0) {
      into.write(receive.address(), from.read(request.address(), bytes));
    }
    complete(receive, IbvWcOpcode.IBV_WC_RECV, request);
    return null;
  }

  private void complete(FakeReceive receive, IbvWcOpcode opcode, FakeSend.Posted request) {
    receiveQueue.add(
        completion(receive.getWr_id(), IbvWcStatus.IBV_WC_SUCCESS, opcode.getOpcode(), request));
  }

  private void succeed(FakeSend.Posted request) {
    requests.remove();
    if (request.has(IbvSendWR.IBV_SEND_SIGNALED)) {
      occupied = requests.size();
      sendQueue.add(completion(request.id(), IbvWcStatus.IBV_WC_SUCCESS, 0, request));
    }
  }

  private void refuse(FakeSend.Posted request, IbvWcStatus status) {
    requests.remove();
    sendQueue.add(completion(request.id(), status, 0, request));
    failed = true;
  }

  private IbvWC completion(long id, IbvWcStatus status, int opcode, FakeSend.Posted request) {
    IbvWC work = new IbvWC();
    work.setWr_id(id);
    work.setStatus(status.ordinal());
    work.setOpcode(opcode);
    work.setByte_len(request == null ? 0 : request.length());
    work.setImm_data(request == null ? 0 : request.immediate());
    work.setWc_flags(request != null && request.isImmediate() ? Opcodes.WITH_IMMEDIATE : 0);
    work.setQp_num(qp_num);
    return work;
  }

  /** Transitions into error. */
  void fail() {
    failed = true;
    flush();
  }

  private void flush() {
    if (!rdma.isFlushing()) {
      return;
    }
    IbvWcStatus flushed = IbvWcStatus.IBV_WC_WR_FLUSH_ERR;
    while (!requests.isEmpty()) {
      sendQueue.add(completion(requests.remove().id(), flushed, 0, null));
    }
    occupied = 0;
    while (!receives.isEmpty()) {
      receiveQueue.add(completion(receives.remove().getWr_id(), flushed, 128, null));
    }
  }

  void destroy() {
    if (!isOpen()) {
      throw new IllegalStateException("queue pair destroyed twice");
    }
    close();
    failed = true;
    requests.clear();
    receives.clear();
    sendQueue.forget(this);
    pd.queuePairs--;
    sendQueue.queuePairs--;
  }
}
