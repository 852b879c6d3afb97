package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.base.LifeCycle;
import io.railflux.fabric.disni.memory.DisniExposedRegion;
import io.railflux.fabric.disni.memory.DisniRemoteRegion;
import io.railflux.fabric.disni.memory.MemoryRegion;
import io.railflux.fabric.disni.memory.RegisteredMemory;
import io.railflux.fabric.disni.queue.ControlMessage;
import io.railflux.fabric.disni.queue.DisniQueuePair;
import io.railflux.fabric.disni.queue.DisniReceiveQueue;
import io.railflux.fabric.disni.queue.DisniSendQueue;
import io.railflux.fabric.disni.queue.DisniStatuses;
import io.railflux.fabric.disni.queue.MessageSlots;
import io.railflux.fabric.disni.queue.Nudges;
import io.railflux.fabric.disni.queue.Opcodes;
import io.railflux.fabric.disni.queue.RequestCheck;
import io.railflux.fabric.disni.queue.SendCall;
import io.railflux.fabric.disni.queue.WorkId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A reliable connection. Messages wait in slots of the receiving side, and complete for the sender when the peer
 * reports that they found their receives.
 */
final class DisniEndpoint implements Endpoint {

  private static final String LOCKED_MEMORY =
      "allow more locked memory: ulimit -l unlimited, or LimitMEMLOCK=infinity of its service";

  private final Owner owner;
  private final int number;
  private final DisniQueuePair pair;
  private final String remoteDescription;
  private final DisniSendQueue sends = new DisniSendQueue();
  private final DisniReceiveQueue receives;
  private final Nudges nudges = new Nudges();
  private final DisniDelivery delivery;
  private final List<DisniExposedRegion> exposed = new ArrayList<>();
  private final LifeCycle life = new LifeCycle();
  private boolean refused;
  private boolean greets;
  private boolean greeted;
  private boolean peerLeft;
  private boolean announced;

  /** Services of the fabric for an endpoint. */
  interface Owner {

    long nowNanos();

    /** The endpoint was closed. */
    void closed(DisniEndpoint endpoint);
  }

  DisniEndpoint(
      Owner owner,
      int number,
      DisniQueuePair pair,
      DisniDelivery.Target target,
      String remoteDescription) {
    this.owner = owner;
    this.number = number;
    this.pair = pair;
    this.remoteDescription = remoteDescription;
    this.receives = new DisniReceiveQueue(pair.slots());
    this.delivery = new DisniDelivery(this, life, sends, receives, target);
  }

  @Override
  public long id() {
    return number;
  }

  int number() {
    return number;
  }

  RdmaCmId identifier() {
    return pair.id();
  }

  /** The listener receives the endpoint; from now on polls report its events. */
  void announce() {
    announced = true;
  }

  @Override
  public EndpointState state() {
    return life.state();
  }

  @Override
  public String remoteDescription() {
    return remoteDescription;
  }

  @Override
  public String remoteHost() {
    return remoteDescription.substring(0, remoteDescription.lastIndexOf(':'));
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    life.requireReady();
    try {
      exposed.removeIf(region -> !region.isOpen());
      DisniExposedRegion region = DisniExposedRegion.open(pair.domain(), lengthBytes, access);
      exposed.add(region);
      return region;
    } catch (IOException e) {
      String reason =
          "cannot register " + lengthBytes + " bytes: " + e.getMessage().strip();
      throw new FabricUnavailableException(DisniFabricProvider.NAME, reason, LOCKED_MEMORY, e);
    } catch (OutOfMemoryError e) {
      throw new FabricUnavailableException(
          DisniFabricProvider.NAME,
          "no direct memory for " + lengthBytes + " bytes",
          "raise -XX:MaxDirectMemorySize",
          e);
    }
  }

  @Override
  public RemoteRegion attach(long key, int lengthBytes) {
    return new DisniRemoteRegion(this, key, lengthBytes);
  }

  @Override
  public PostResult post(WorkRequest request) {
    if (!life.isReady()) {
      return PostResult.NOT_READY;
    }
    if (!RequestCheck.isSupported(request)) {
      return PostResult.UNSUPPORTED;
    }
    if (sends.isFull()) {
      return PostResult.QUEUE_FULL;
    }
    CompletionStatus refusal =
        refused ? CompletionStatus.FLUSHED : RequestCheck.refusal(request, this);
    if (refusal == null) {
      send(request);
    } else {
      refuse(request, refusal);
    }
    return PostResult.POSTED;
  }

  private void send(WorkRequest request) {
    MemoryRegion local;
    try {
      local = ((RegisteredMemory) request.local).in(pair.domain());
    } catch (IOException e) {
      refuse(request, CompletionStatus.LOCAL_PROTECTION);
      fail("cannot register memory: " + e.getMessage().strip() + "; " + LOCKED_MEMORY);
      return;
    }
    long sequence = pair.posted();
    try {
      pair.post(request, local, (DisniRemoteRegion) request.remote);
      sends.add(request, sequence);
    } catch (IOException e) {
      refuse(request, CompletionStatus.FLUSHED);
      fail("cannot post: " + e.getMessage().strip());
    }
  }

  /** The request fails when all earlier ones have completed, which a marker shows; no later request follows. */
  private void refuse(WorkRequest request, CompletionStatus refusal) {
    if (!refused) {
      refused = true;
      try {
        pair.postMarker();
      } catch (IOException e) {
        fail("cannot post: " + e.getMessage().strip());
      }
    }
    sends.refuse(request, pair.posted(), refusal);
  }

  @Override
  public PostResult postReceive(long id, LocalMemory memory, int offset, int lengthBytes) {
    if (!life.isReady()) {
      return PostResult.NOT_READY;
    }
    return receives.post(id, memory, offset, lengthBytes)
        ? PostResult.POSTED
        : PostResult.QUEUE_FULL;
  }

  @Override
  public void notifyPeer() {
    if (life.isReady()) {
      nudges.oweWakeUp();
      nudge();
    }
  }

  /** Sends the first message to the peer, which may not exist before. */
  void greet() {
    greets = true;
    notifyPeer();
  }

  /** Whether the peer has sent its first message. */
  boolean isGreeted() {
    return greeted;
  }

  /** Sends a control message if one is owed and permitted. */
  void nudge() {
    if (!owesNudge() || !nudges.isAllowed() || !pair.hasRoom(sends.done())) {
      return;
    }
    ControlMessage.update(pair.slots().control(), receives.taken(), nudges.seen());
    try {
      pair.postControl();
      nudges.sent(receives.taken());
    } catch (IOException e) {
      fail("cannot post: " + e.getMessage().strip());
    }
  }

  boolean owesNudge() {
    return life.isReady() && greets && nudges.isOwed(receives.taken());
  }

  /** Processes a completion of the card. */
  void onWork(IbvWC work) {
    long workId = work.getWr_id();
    int status = work.getStatus();
    if (WorkId.isReceive(workId)) {
      pair.slots().completed();
      if (DisniStatuses.isSuccess(status)) {
        received(work, WorkId.slot(workId));
      } else {
        fail(DisniStatuses.text(status));
      }
    } else if (DisniStatuses.isSuccess(status)) {
      sends.succeeded(WorkId.sequence(workId, sends.done()));
    } else {
      sends.failed(WorkId.sequence(workId, sends.done()), DisniStatuses.of(status));
      fail(DisniStatuses.text(status));
    }
  }

  private void received(IbvWC work, int slot) {
    if (!life.isReady()) {
      return;
    }
    boolean immediate = (work.getWc_flags() & Opcodes.WITH_IMMEDIATE) != 0;
    if (work.getOpcode() == Opcodes.WRITTEN_WITH_IMMEDIATE) {
      int data = SendCall.networkOrder(work.getImm_data());
      receives.arrive(slot, work.getByte_len(), true, data);
    } else if (immediate) {
      received(MessageSlots.offset(slot), work.getByte_len());
      repost(slot);
    } else {
      receives.arrive(slot, work.getByte_len(), false, 0);
    }
  }

  private void received(int offset, int lengthBytes) {
    ByteBuffer memory = pair.slots().memory();
    String objection = ControlMessage.objection(memory, offset, lengthBytes);
    if (objection != null) {
      fail(remoteDescription + " uses another protocol: " + objection);
      return;
    }
    greeted = true;
    boolean seen = nudges.received(ControlMessage.seen(memory, offset));
    boolean taken = sends.taken(ControlMessage.taken(memory, offset));
    if (!seen || !taken) {
      fail(remoteDescription + " counts messages that were never sent");
    }
  }

  void repost(int slot) {
    if (life.isReady()) {
      try {
        pair.slots().post(slot);
      } catch (IOException e) {
        fail("cannot post a receive: " + e.getMessage().strip());
      }
    }
  }

  /** The peer disconnected; its earlier messages are still delivered. */
  void peerLeft() {
    peerLeft = true;
  }

  /** Delivers events, see {@link DisniDelivery}. */
  int poll(int limit) {
    if (!announced) {
      return 0;
    }
    int delivered = delivery.poll(limit);
    if (peerLeft && life.isReady() && delivered < limit) {
      fail("peer closed the connection");
      delivered += delivery.poll(limit - delivered);
    }
    nudge();
    return delivered;
  }

  @Override
  public void fence(String reason) {
    fail(reason);
  }

  /** Leaves READY: outstanding requests are flushed. */
  void fail(String reason) {
    if (!life.drain(reason)) {
      return;
    }
    delivery.begin(owner.nowNanos());
    try {
      delivery.awaitMarker(pair.postMarker());
    } catch (IOException e) {
      delivery.awaitTime();
    }
    try {
      pair.disconnect();
    } catch (IOException e) {
      // The queue pair is lost; the bound of draining ends the endpoint.
      delivery.awaitTime();
    }
  }

  /** Whether the card has returned all requests, or took too long. */
  boolean isOver() {
    if (pair.slots().areAllReturned() && delivery.isMarkerBefore(sends.done())) {
      return true;
    }
    if (delivery.isOverdue(owner.nowNanos())) {
      pair.destroy();
      return true;
    }
    return false;
  }

  void drained() {
    life.drained();
    exposed.forEach(DisniExposedRegion::revoke);
  }

  @Override
  public void close() {
    if (!life.close()) {
      return;
    }
    try {
      pair.disconnect();
    } catch (IOException e) {
      // It was no longer connected.
    }
    exposed.forEach(DisniExposedRegion::close);
    pair.close();
    owner.closed(this);
  }
}
