package io.railflux.fabric.verbs;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.base.LifeCycle;
import io.railflux.fabric.verbs.connect.Deadlines;
import io.railflux.fabric.verbs.connect.RemoteEnd;
import io.railflux.fabric.verbs.connect.VerbsConnections;
import io.railflux.fabric.verbs.device.Device;
import io.railflux.fabric.verbs.internal.IbvWc;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmEvent;
import io.railflux.fabric.verbs.memory.Regions;
import io.railflux.fabric.verbs.memory.VerbsRemoteRegion;
import io.railflux.fabric.verbs.queue.QueueOwner;
import io.railflux.fabric.verbs.queue.Statuses;
import io.railflux.fabric.verbs.queue.WorkIds;
import java.nio.ByteBuffer;

/**
 * A reliable connection: a queue pair in a protection domain of its own.
 *
 * <p>A failed endpoint is drained (FT1). The queue pair enters the error state, and a marker is posted behind the
 * last request. When the marker and all receives have been flushed, every posted request has completed. Then the keys
 * are revoked and the queue pair is destroyed; only then is the endpoint drained.
 */
final class VerbsEndpoint
    implements Endpoint,
        QueueOwner,
        Regions.Owner,
        VerbsDelivery,
        Deadlines.Bounded,
        VerbsConnections.Handler {

  /** A device that has not flushed by then never will. */
  private static final long DRAIN_NANOS = 1_000_000_000L;

  private final VerbsFabric fabric;
  private final FabricListener listener;
  private final EndpointParts parts;
  private final LifeCycle life = new LifeCycle();
  private boolean announced;
  private boolean hardwareDone;
  private RemoteEnd remote;

  VerbsEndpoint(VerbsFabric fabric, FabricListener listener, Device device) throws NativeFailure {
    this.fabric = fabric;
    this.listener = listener;
    this.parts = new EndpointParts(this, fabric, device);
    fabric.endpoints().put(number(), this);
  }

  @Override
  public int number() {
    return parts.number();
  }

  EndpointParts parts() {
    return parts;
  }

  FabricListener listener() {
    return listener;
  }

  @Override
  public long id() {
    return number();
  }

  @Override
  public EndpointState state() {
    return life.state();
  }

  @Override
  public boolean isReady() {
    return life.isReady();
  }

  boolean isClosed() {
    return life.isClosed();
  }

  /** Returns the reason of the failure; empty without one. */
  String failure() {
    return life.failure();
  }

  void describe(RemoteEnd end) {
    remote = end;
  }

  @Override
  public String remoteDescription() {
    return remote == null ? "an unknown peer" : remote.toString();
  }

  @Override
  public String remoteHost() {
    return remote == null ? remoteDescription() : remote.host();
  }

  /** The listener receives the endpoint. */
  void announce(long attempt) {
    announced = true;
    listener.onConnected(this, attempt);
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    life.requireReady();
    return parts.regions().fresh(lengthBytes, access);
  }

  @Override
  public ExposedRegion expose(ByteBuffer memory, Access access) {
    life.requireReady();
    if (!memory.isDirect() || (memory.isReadOnly() && access.allowsWrite())) {
      throw new IllegalArgumentException(
          "only direct buffers can be exposed, and read-only ones only for reading");
    }
    return parts.regions().ofCaller(memory, access);
  }

  /** Only the device of the peer can verify the key, on each use. */
  @Override
  public RemoteRegion attach(long key, int lengthBytes) {
    return new VerbsRemoteRegion(key, lengthBytes);
  }

  @Override
  public PostResult post(WorkRequest request) {
    if (!isReady()) {
      return PostResult.NOT_READY;
    }
    if (!fabric.supports(request)) {
      return PostResult.UNSUPPORTED;
    }
    try {
      return parts.sends().post(request);
    } catch (NativeFailure e) {
      fail("cannot post: " + VerbsFabric.explain(e));
      return PostResult.NOT_READY;
    }
  }

  @Override
  public PostResult postReceive(long receiveId, LocalMemory memory, int offset, int lengthBytes) {
    if (!isReady()) {
      return PostResult.NOT_READY;
    }
    PostResult result = parts.receives().post(receiveId, memory, offset, lengthBytes);
    if (parts.receives().hasMatch()) {
      fabric.deliverLater(this);
    }
    return result;
  }

  @Override
  public void notifyPeer() {
    if (isReady()) {
      try {
        parts.sends().notifyPeer();
      } catch (NativeFailure e) {
        fail("cannot post: " + VerbsFabric.explain(e));
      }
    }
  }

  /** Processes a work completion of {@code batch}. Returns 1 after a callback. */
  int completed(IbvWc batch, int index) {
    if (hardwareDone || isClosed()) {
      return 0;
    }
    try {
      int delivered = dispatch(batch, index);
      afterCompletion(batch.status(index));
      return delivered;
    } catch (NativeFailure e) {
      fail(VerbsFabric.explain(e));
      return 0;
    }
  }

  private int dispatch(IbvWc batch, int index) throws NativeFailure {
    int place = WorkIds.place(batch.id(index));
    int status = batch.status(index);
    return WorkIds.isReceive(batch.id(index))
        ? parts.receives().completed(place, status, batch, index)
        : parts.sends().completed(place, status);
  }

  private void afterCompletion(int status) throws NativeFailure {
    if (isReady() && status != IbvWc.SUCCESS) {
      // A flush shows that the queue pair is in error, not why; an event may bring the cause.
      String cause = status == IbvWc.WR_FLUSH_ERR
          ? "the connection to " + remoteDescription() + " is in error"
          : "request failed: " + Statuses.words(status) + " of " + remoteDescription();
      fail(cause);
    } else if (isReady() && parts.sends().owesNotification()) {
      parts.sends().notifyPeer();
    }
    if (life.isDraining()) {
      finishIfDrained();
    }
  }

  private void finishIfDrained() {
    if (!hardwareDone && parts.sends().isDrained() && parts.receives().isDrained()) {
      finish();
    }
  }

  private void finish() {
    hardwareDone = true;
    fabric.deadlines().remove(this);
    parts.endHardware();
    fabric.deliverLater(this);
  }

  /**
   * Delivers events other than work completions: the failure, arrivals with a receive, completions without hardware
   * events, and the end.
   */
  @Override
  public int deliver() {
    if (isClosed()) {
      return 0;
    }
    if (announced && life.claimFailure()) {
      listener.onError(this, life.failure());
      return 1;
    }
    try {
      int delivered = parts.receives().deliver();
      if (delivered > 0 || !life.isDraining() || !hardwareDone) {
        return delivered;
      }
    } catch (NativeFailure e) {
      fail(VerbsFabric.explain(e));
      return 0;
    }
    return deliverEnd();
  }

  private int deliverEnd() {
    int delivered = parts.sends().flushOldest();
    if (delivered == 0) {
      delivered = parts.receives().flushOldest();
    }
    if (delivered == 0) {
      life.drained();
      delivered = announced ? 1 : 0;
      if (announced) {
        listener.onDrained(this);
      }
    }
    return delivered;
  }

  @Override
  public int report(
      long id, Opcode opcode, CompletionStatus status, int lengthBytes, int immediate) {
    if (!announced || isClosed()) {
      return 0;
    }
    listener.onCompletion(
        this, fabric.completion().set(id, opcode, status, lengthBytes, immediate));
    return 1;
  }

  @Override
  public void fence(String reason) {
    fail(reason);
  }

  /** Leaves {@link EndpointState#READY}; the next poll reports it. */
  @Override
  public void fail(String reason) {
    if (!life.drain(reason)) {
      return;
    }
    fabric.deliverLater(this);
    fabric.deadlines().add(this, DRAIN_NANOS);
    try {
      parts.beginDrain();
    } catch (NativeFailure e) {
      // The device was removed: no request completes, and the device accesses no memory.
      finish();
    }
  }

  /** Processes events of an established connection. */
  @Override
  public void onEvent(RdmaCmEvent event) {
    switch (event.type()) {
      case DISCONNECTED -> fail("the peer at " + remoteDescription() + " closed the connection");
      case DEVICE_REMOVAL -> fail("device " + parts.device() + " was removed");
      default -> {
        // Requests reveal changed addresses and time-outs.
      }
    }
  }

  /** The device did not return everything in time; destroying the queue pair ends it too. */
  @Override
  public void expired() {
    if (life.isDraining() && !hardwareDone) {
      finish();
    }
  }

  @Override
  public void close() {
    if (!life.close()) {
      return;
    }
    fabric.deadlines().remove(this);
    fabric.endpoints().remove(number());
    parts.close();
  }

  @Override
  public FabricUnavailableException unavailable(String what, Throwable cause) {
    return VerbsFabric.unavailable(what + " for " + remoteDescription(), cause);
  }
}
