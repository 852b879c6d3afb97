package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.memory.Placement;
import io.railflux.fabric.sim.memory.SimRegion;

/** Effects of requests of the peer on the memory of this side. */
final class Effects {

  private final PairEnd endpoint;
  private final Placement placement;
  private long visibleAt;

  Effects(PairEnd endpoint) {
    this.endpoint = endpoint;
    SimWorld world = endpoint.world();
    this.placement = new Placement(
        world.events(),
        world.random(),
        world.config().timings().placementSpreadNanos(),
        endpoint.fabric().capabilities(),
        endpoint.id());
  }

  /** Returns {@code null} if the request may take effect. */
  CompletionStatus check(Request request) {
    if (request.isNotification() || request.opcode == Opcode.SEND) {
      return null;
    }
    SimRegion region = endpoint.region(request.remoteKey());
    return region != null && allows(region, request) ? null : CompletionStatus.REMOTE_ACCESS;
  }

  private static boolean allows(SimRegion region, Request request) {
    if (request.isAtomic()) {
      return region.atomic(request.remoteOffset);
    }
    return request.opcode == Opcode.READ
        ? region.readable(request.remoteOffset, request.lengthBytes)
        : region.writable(request.remoteOffset, request.lengthBytes);
  }

  /** Applies a checked request; returns the delay until all of it is visible. */
  long apply(Request request) {
    if (request.isNotification()) {
      notifyWhenVisible();
      return 0;
    }
    if (request.opcode == Opcode.WRITE) {
      long delay = write(request);
      visibleAt = Math.max(visibleAt, endpoint.world().now() + delay);
      return delay;
    }
    placement.flush();
    SimRegion region = endpoint.region(request.remoteKey());
    request.result(region.read(request.remoteOffset, request.lengthBytes));
    if (request.isAtomic()) {
      update(region, request);
    }
    return 0;
  }

  /** A woken engine sees all earlier writes, so the wake-up waits for their visibility. */
  private void notifyWhenVisible() {
    SimWorld world = endpoint.world();
    long delay = visibleAt - world.now();
    if (delay <= 0) {
      endpoint.wakeAfter(0);
    } else {
      world.events().after(delay, EventKind.WAKE, endpoint.id(), () -> endpoint.wakeAfter(0));
    }
  }

  long write(Request request) {
    SimRegion region = endpoint.region(request.remoteKey());
    if (region == null || !region.writable(request.remoteOffset, request.lengthBytes)) {
      return 0;
    }
    if (endpoint.mapped()) {
      region.write(request.remoteOffset, request.payload(), 0, request.lengthBytes);
      return 0;
    }
    return placement.place(region, request.remoteOffset, request.payload());
  }

  private static void update(SimRegion region, Request request) {
    long former = region.raw().getLong(request.remoteOffset);
    if (request.opcode == Opcode.FETCH_ADD) {
      region.raw().putLong(request.remoteOffset, former + request.operand);
    } else if (former == request.compare) {
      region.raw().putLong(request.remoteOffset, request.operand);
    }
  }

  /** A receive completes only when all earlier writes are visible. */
  void receive(Request request, Receive receive) {
    if (request.opcode == Opcode.SEND && request.lengthBytes > 0) {
      receive.memory().write(receive.offset(), request.payload(), 0, request.lengthBytes);
    }
    placement.flush();
  }

  void settle() {
    placement.settle();
  }
}
