package io.railflux.fabric.disni.queue;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCmId;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.disni.events.CompletionQueues;
import io.railflux.fabric.disni.events.DisniCompletionQueue;
import io.railflux.fabric.disni.memory.DisniProtectionDomain;
import io.railflux.fabric.disni.memory.DisniRemoteRegion;
import io.railflux.fabric.disni.memory.MemoryRegion;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Native part of an endpoint: identifier, protection domain, queue pair and prepared calls. DiSNI puts a queue pair
 * into error by disconnecting it. Engine thread only.
 */
public final class DisniQueuePair {

  private static final Logger LOG = LoggerFactory.getLogger(DisniQueuePair.class);

  /** Control messages and two markers in addition to requests of the user. */
  private static final int DEPTH = DisniSendQueue.DEPTH + Nudges.LIMIT + 2;

  private static final int ENTRIES = DEPTH + MessageSlots.COUNT;

  /** Number of requests per signaled request. Signaled requests free the queue of the card. */
  private static final int SIGNAL_INTERVAL = 16;

  private final RdmaCmId id;
  private final int number;
  private final DisniCompletionQueue completions;
  private final DisniProtectionDomain domain;
  private final IbvQP qp;
  private final MessageSlots slots;
  private final SendCall send;
  private final SendCall write;
  private final SendCall read;
  private final SendCall control;
  private final SendCall marker;
  private long posted;
  private boolean destroyed;

  private DisniQueuePair(
      RdmaCmId id, int number, DisniCompletionQueue completions, DisniProtectionDomain domain)
      throws IOException {
    this.id = id;
    this.number = number;
    this.completions = completions;
    this.domain = domain;
    this.qp = id.createQP(domain.pd(), attributes());
    this.slots = new MessageSlots(domain, qp, number);
    this.send = SendCall.of(qp, IbvSendWR.IBV_WR_SEND, 0, true);
    this.write = SendCall.of(qp, IbvSendWR.IBV_WR_RDMA_WRITE, 0, true);
    this.read = SendCall.of(qp, IbvSendWR.IBV_WR_RDMA_READ, 0, true);
    this.control = SendCall.of(qp, IbvSendWR.IBV_WR_SEND_WITH_IMM, ControlMessage.IMMEDIATE, true);
    this.marker = SendCall.of(qp, IbvSendWR.IBV_WR_RDMA_WRITE, 0, false);
  }

  /** Creates a queue pair for an identifier with a known device, and posts its receives. */
  public static DisniQueuePair open(RdmaCmId id, int number, CompletionQueues queues)
      throws IOException {
    DisniCompletionQueue completions = queues.reserve(id.getVerbs(), ENTRIES);
    DisniProtectionDomain domain = null;
    try {
      domain = new DisniProtectionDomain(id.getVerbs());
      DisniQueuePair pair = new DisniQueuePair(id, number, completions, domain);
      pair.slots.postAll();
      return pair;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      completions.release(ENTRIES);
      discard(id, domain);
      throw e;
    }
  }

  private static void discard(RdmaCmId id, DisniProtectionDomain domain) throws IOException {
    if (id.getQp() != null) {
      id.destroyQP();
    }
    if (domain != null) {
      domain.close();
    }
  }

  private IbvQPInitAttr attributes() {
    IbvQPInitAttr attributes = new IbvQPInitAttr();
    attributes.setQp_type(IbvQP.IBV_QPT_RC);
    attributes.setSend_cq(completions.queue());
    attributes.setRecv_cq(completions.queue());
    attributes.cap().setMax_send_wr(DEPTH);
    attributes.cap().setMax_recv_wr(MessageSlots.COUNT);
    attributes.cap().setMax_send_sge(1);
    attributes.cap().setMax_recv_sge(1);
    return attributes;
  }

  public RdmaCmId id() {
    return id;
  }

  public DisniProtectionDomain domain() {
    return domain;
  }

  public MessageSlots slots() {
    return slots;
  }

  /** Returns the number of the next request. */
  public long posted() {
    return posted;
  }

  /** Whether a control message fits, given the completed requests; a marker always fits. */
  public boolean hasRoom(long done) {
    return posted - done < DEPTH - 2;
  }

  /**
   * Posts a request of the user.
   *
   * @param local null for requests without bytes
   */
  public void post(WorkRequest request, MemoryRegion local, DisniRemoteRegion remote)
      throws IOException {
    switch (request.opcode) {
      case SEND -> execute(fill(send, request, local), request);
      case WRITE -> execute(fill(write, request, local, remote), request);
      case READ -> execute(fill(read, request, local, remote), request);
      case WRITE_WITH_IMMEDIATE -> announce(request, local, remote);
      default -> throw new IllegalArgumentException("cannot post " + request.opcode);
    }
  }

  /** Prepared for each request, because opcode and immediate data of a call cannot be changed. */
  private void announce(WorkRequest request, MemoryRegion local, DisniRemoteRegion remote)
      throws IOException {
    int opcode = IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM;
    SendCall call = SendCall.of(qp, opcode, request.immediate, true);
    try {
      execute(fill(call, request, local, remote), request);
    } finally {
      call.free();
    }
  }

  private static SendCall fill(SendCall call, WorkRequest request, MemoryRegion local) {
    return call.local(local, request.localOffset, request.lengthBytes);
  }

  private static SendCall fill(
      SendCall call, WorkRequest request, MemoryRegion local, DisniRemoteRegion remote) {
    return fill(call, request, local)
        .remote(remote.address(request.remoteOffset), remote.remoteKey());
  }

  private void execute(SendCall call, WorkRequest request) throws IOException {
    int flags = request.fenced ? IbvSendWR.IBV_SEND_FENCE : 0;
    flags |= request.solicited ? IbvSendWR.IBV_SEND_SOLICITED : 0;
    flags |= request.signaled ? IbvSendWR.IBV_SEND_SIGNALED : 0;
    post(call, flags);
  }

  private void post(SendCall call, int flags) throws IOException {
    boolean due = posted % SIGNAL_INTERVAL == 0;
    int all = due ? flags | IbvSendWR.IBV_SEND_SIGNALED : flags;
    call.post(WorkId.ofRequest(number, posted), all);
    posted++;
  }

  /** Sends the control message with its content at the time of sending. */
  public void postControl() throws IOException {
    control.local(slots.region(), MessageSlots.controlOffset(), ControlMessage.BYTES);
    post(control, IbvSendWR.IBV_SEND_SOLICITED);
  }

  /** Posts a request without effect, whose completion implies that of all earlier requests. Returns its number. */
  public long postMarker() throws IOException {
    post(marker, IbvSendWR.IBV_SEND_SIGNALED);
    return posted - 1;
  }

  /** Puts the queue pair into error: outstanding requests are flushed, and no access of the peer lands. */
  public void disconnect() throws IOException {
    if (!destroyed) {
      id.disconnect();
    }
  }

  /** The card accesses no memory afterwards, and no flush completes. Idempotent. */
  public void destroy() {
    if (destroyed) {
      return;
    }
    destroyed = true;
    try {
      id.destroyQP();
    } catch (IOException e) {
      LOG.warn("a queue pair was not released: {}", e.getMessage());
    }
  }

  public void close() {
    destroy();
    for (SendCall call : new SendCall[] {send, write, read, control, marker}) {
      call.free();
    }
    slots.free();
    domain.close();
    completions.release(ENTRIES);
    try {
      id.destroyId();
    } catch (IOException e) {
      LOG.warn("a connection's identifier was not released: {}", e.getMessage());
    }
  }
}
