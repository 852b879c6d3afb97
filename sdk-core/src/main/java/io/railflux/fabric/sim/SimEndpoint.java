package io.railflux.fabric.sim;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.base.LifeCycle;
import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.memory.SimRegion;
import io.railflux.fabric.sim.memory.SimRemoteRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/** One end of a simulated connection. */
final class SimEndpoint implements PairEnd {

  private final SimFabric fabric;
  private final FabricListener listener;
  private final SimLink link;
  private final SimWorld world;
  private final long id;
  private final SimSendQueue sendQueue;
  private final SimResponder responder;
  private final Map<Long, SimRegion> regions = new TreeMap<>();
  private final SimRegion.Holder holder;
  private final LifeCycle life = new LifeCycle();
  private String remoteHost = "";
  private String remoteDescription = "";
  private SimEndpoint peer;
  private boolean vanished;
  private boolean peerGone;

  SimEndpoint(SimFabric fabric, FabricListener listener, SimLink link) {
    this.fabric = fabric;
    this.listener = listener;
    this.link = link;
    this.world = fabric.world();
    this.id = world.nextId();
    this.sendQueue = new SimSendQueue(this, link.from(fabric.host()));
    this.responder = new SimResponder(this, link.from(fabric.host()));
    this.holder = new SimRegion.Holder(fabric, id, fabric.mapped(), this::revoked);
    fabric.add(this);
  }

  void describe(SimHost host, String place) {
    remoteHost = host.name();
    remoteDescription = host + " " + place;
  }

  void pairWith(SimEndpoint other) {
    peer = other;
    other.peer = this;
    if (other.vanished) {
      // The endpoint failed during its reply; the receiver of the reply is notified next.
      other.reportDeath();
    }
  }

  boolean uses(SimLink other) {
    return link == other;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public EndpointState state() {
    return life.state();
  }

  @Override
  public boolean peerGone() {
    return peerGone;
  }

  @Override
  public String remoteHost() {
    return remoteHost;
  }

  @Override
  public String remoteDescription() {
    return remoteDescription;
  }

  @Override
  public Protection protection() {
    return world.config().protection();
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    life.requireReady();
    if (!host().reserve(SimRegion.rounded(lengthBytes))) {
      throw new FabricUnavailableException(
          fabric.name(),
          "no room for " + lengthBytes + " bytes on host " + host().name(),
          "raise the memory limit of the simulated host");
    }
    return add(SimRegion.fresh(holder, lengthBytes, access, fabric.randomKey()));
  }

  @Override
  public ExposedRegion expose(ByteBuffer memory, Access access) {
    if (!fabric.capabilities().has(Feature.EXPOSES_USER_MEMORY)) {
      return PairEnd.super.expose(memory, access);
    }
    life.requireReady();
    if (!memory.isDirect() || (memory.isReadOnly() && access.allowsWrite())) {
      throw new IllegalArgumentException(
          "only direct buffers can be exposed, and read-only ones only for reading");
    }
    return add(SimRegion.ofCaller(holder, memory, access, fabric.randomKey()));
  }

  private SimRegion add(SimRegion region) {
    regions.put(region.key(), region);
    return region;
  }

  /** Without mapping the remote side checks the key on use. */
  @Override
  public RemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException {
    if (!fabric.mapped()) {
      return new SimRemoteRegion(this, key, lengthBytes, null);
    }
    SimRegion region = peer == null ? null : peer.region(key);
    if (region == null || region.lengthBytes() != lengthBytes) {
      throw new RemoteAccessException(
          "no region of " + lengthBytes + " bytes under that key at " + remoteDescription);
    }
    return new SimRemoteRegion(
        this, key, lengthBytes, region.raw().duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public PostResult post(WorkRequest request) {
    if (!life.isReady()) {
      return PostResult.NOT_READY;
    }
    if (!supported(request)) {
      return PostResult.UNSUPPORTED;
    }
    if (fabric.mapped() && peerRefuses()) {
      fail(null, null, "peer is in error");
      return PostResult.NOT_READY;
    }
    return sendQueue.post(request);
  }

  /** A fenced mapped peer announces it in shared memory; a dead one does not. */
  private boolean peerRefuses() {
    return peer != null && !peer.isReady() && !peer.vanished;
  }

  private boolean supported(WorkRequest request) {
    Capabilities can = fabric.capabilities();
    if (request.fenced && !can.has(Feature.FENCED_REQUESTS)) {
      return false;
    }
    if (request.addressHandle != null) {
      return false;
    }
    return switch (request.opcode) {
      case SEND, WRITE -> true;
      case WRITE_WITH_IMMEDIATE -> can.has(Feature.WRITE_WITH_IMMEDIATE);
      case READ -> can.has(Feature.READ);
      case FETCH_ADD, COMPARE_SWAP -> can.has(Feature.ATOMICS);
      case RECEIVE, RECEIVE_IMMEDIATE -> false;
    };
  }

  @Override
  public PostResult postReceive(long receiveId, LocalMemory memory, int offset, int lengthBytes) {
    return life.isReady()
        ? responder.postReceive(Receive.of(fabric, receiveId, memory, offset, lengthBytes))
        : PostResult.NOT_READY;
  }

  @Override
  public void notifyPeer() {
    if (!life.isReady()) {
      return;
    }
    if (!fabric.mapped()) {
      sendQueue.notifyPeer();
    } else if (peer != null) {
      peer.fabric.wakeAfter(link.latency());
    }
  }

  @Override
  public void fence(String reason) {
    fail(null, null, reason);
  }

  @Override
  public void fail(Request failed, CompletionStatus status, String reason) {
    if (!life.drain(reason)) {
      return;
    }
    sendQueue.capture();
    if (failed != null) {
      sendQueue.deliverFailure(failed, status);
    }
    fabric.enqueue(new SimDelivery.Failed(this, reason));
    sendQueue.flush();
    responder.flush();
    long drain = world.random().between(0, world.config().timings().drainMaxNanos());
    world.events().after(drain, EventKind.SEAL, id, this::seal);
    if (fabric.mapped()) {
      failPeer("peer's endpoint went into error: " + reason);
    }
  }

  private void seal() {
    if (life.isDraining()) {
      responder.seal();
      fabric.enqueue(new SimDelivery.Drained(this));
    }
  }

  @Override
  public void drained() {
    life.drained();
  }

  @Override
  public void close() {
    if (!life.isClosed()) {
      release();
      if (fabric.mapped()) {
        failPeer("peer closed the endpoint");
      } else if (world.random().chance(world.faults().closeNoticeRate())) {
        sendCloseNotice();
      }
    }
  }

  /** The process has ended; the network determines the peers that are notified. */
  void vanish() {
    vanished = true;
    release();
    reportDeath();
  }

  private void reportDeath() {
    if (fabric.capabilities().has(Feature.PEER_DEATH_REPORTED)) {
      atPeer(() -> peer.peerEnded());
    }
  }

  /** Known from now on, also to an endpoint that failed earlier for another reason. */
  private void peerEnded() {
    if (!life.isClosed()) {
      peerGone = true;
      fail(null, null, "peer process ended");
    }
  }

  private void release() {
    life.close();
    sendQueue.capture();
    responder.seal();
    new ArrayList<>(regions.values()).forEach(SimRegion::close);
    fabric.remove(this);
  }

  /** Bypasses the link, because the host itself knows both processes. */
  private void failPeer(String what) {
    atPeer(() -> peer.fail(null, null, what));
  }

  private void sendCloseNotice() {
    long departed = world.now();
    atPeer(() -> {
      if (!link.loses(host(), departed)) {
        peer.fail(null, null, "peer closed the endpoint");
      }
    });
  }

  private void atPeer(Runnable action) {
    if (peer != null) {
      world.events().after(link.latency(), EventKind.PEER_GONE, peer.id, action);
    }
  }

  private void revoked(SimRegion region) {
    regions.remove(region.key());
    host().release(region.reservedBytes());
  }

  @Override
  public SimRegion region(long key) {
    return regions.get(key);
  }

  @Override
  public SimFabric fabric() {
    return fabric;
  }

  private SimHost host() {
    return fabric.host();
  }

  @Override
  public SimWorld world() {
    return world;
  }

  @Override
  public boolean mapped() {
    return fabric.mapped();
  }

  @Override
  public void enqueue(SimDelivery delivery) {
    fabric.enqueue(delivery);
  }

  @Override
  public void wakeAfter(long delayNanos) {
    fabric.wakeAfter(delayNanos);
  }

  @Override
  public FabricListener listener() {
    return listener;
  }

  @Override
  public SimEndpoint peer() {
    return peer;
  }

  @Override
  public SimSendQueue sendQueue() {
    return sendQueue;
  }

  @Override
  public SimResponder responder() {
    return responder;
  }

  @Override
  public boolean isReady() {
    return life.isReady();
  }

  @Override
  public boolean isClosed() {
    return life.isClosed();
  }
}
