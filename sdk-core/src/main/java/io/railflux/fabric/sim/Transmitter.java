package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.events.SimRandom;

/** Carries requests to the peer, subject to the link. */
final class Transmitter {

  private final PairEnd endpoint;
  private final SimDirection link;
  private final SimWorld world;
  private long lastArrival;

  Transmitter(PairEnd endpoint, SimDirection link) {
    this.endpoint = endpoint;
    this.link = link;
    this.world = endpoint.world();
  }

  void notBefore(long time) {
    lastArrival = Math.max(lastArrival, time);
  }

  void send(Request request) {
    boolean first = !request.everSent;
    long size = request.carriesPayload() ? request.lengthBytes : 0;
    request.everSent = true;
    request.departedAt = endpoint.mapped() ? world.now() : link.depart(endpoint.id(), size);
    if (first) {
      request.firstDepartedAt = request.departedAt;
    }
    if (first && injectFault(request)) {
      return;
    }
    if (endpoint.mapped()) {
      arrive(request);
    } else {
      schedule(request, request.departedAt);
    }
  }

  /** Returns whether the request must not be sent. */
  private boolean injectFault(Request request) {
    SimRandom random = world.random();
    if (endpoint.peer() != null && random.chance(world.faults().endpointDeathRate())) {
      world.count("endpoint death");
      PairEnd victim = random.chance(0.5) ? endpoint.peer() : endpoint;
      inject(() -> victim.fail(null, null, "injected endpoint death"));
    }
    if (!random.chance(world.faults().completionErrorRate())) {
      return false;
    }
    world.count("completion error");
    request.injectedError = random.chance(0.5);
    if (!request.injectedError) {
      inject(() -> endpoint.sendQueue().spoil(request, CompletionStatus.TRANSPORT_RETRY));
    }
    return !request.injectedError;
  }

  private void inject(Runnable action) {
    world.events().after(link.latency(), EventKind.INJECTED, endpoint.id(), action);
  }

  private void schedule(Request request, long departed) {
    lastArrival = Math.max(lastArrival, departed + link.latency());
    world.arrivesAt(lastArrival);
    world.events().at(lastArrival, EventKind.ARRIVAL, endpoint.id(), () -> pass(request, departed));
  }

  private void pass(Request request, long departed) {
    if (!link.loses(departed)) {
      arrive(request);
    } else if (world.random().chance(world.faults().lateRate())) {
      long delay = world.random().between(0, world.config().timings().lateMaxNanos());
      request.capture();
      world.count("late");
      world.events().after(delay, EventKind.ARRIVAL, endpoint.id(), () -> arrive(request));
    }
  }

  private void arrive(Request request) {
    if (!request.capture() && endpoint.isReady()) {
      endpoint.sendQueue().spoil(request, CompletionStatus.LOCAL_PROTECTION);
    } else if (endpoint.peer() != null) {
      endpoint.peer().responder().arrive(request);
    }
  }
}
