package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.events.SimRandom;

/** Carries requests to the peer, subject to the link. */
final class Transmitter {

  private final SimEndpoint endpoint;
  private final SimLink link;
  private final SimNetwork network;
  private long lastArrival;

  Transmitter(SimEndpoint endpoint, SimLink link) {
    this.endpoint = endpoint;
    this.link = link;
    this.network = endpoint.fabric().network();
  }

  void notBefore(long time) {
    lastArrival = Math.max(lastArrival, time);
  }

  void send(Request request) {
    boolean first = !request.everSent;
    long size = request.carriesPayload() ? request.lengthBytes : 0;
    request.everSent = true;
    request.departedAt = endpoint.fabric().mapped()
        ? network.now()
        : link.depart(endpoint.host(), endpoint.id(), size);
    if (first) {
      request.firstDepartedAt = request.departedAt;
    }
    if (first && injectFault(request)) {
      return;
    }
    if (endpoint.fabric().mapped()) {
      arrive(request);
    } else {
      schedule(request, request.departedAt);
    }
  }

  /** Returns whether the request must not be sent. */
  private boolean injectFault(Request request) {
    SimRandom random = network.random();
    if (endpoint.peer() != null && random.chance(network.faults().endpointDeathRate())) {
      network.count("endpoint death");
      SimEndpoint victim = random.chance(0.5) ? endpoint.peer() : endpoint;
      inject(() -> victim.fail(null, null, "injected endpoint death"));
    }
    if (!random.chance(network.faults().completionErrorRate())) {
      return false;
    }
    network.count("completion error");
    request.injectedError = random.chance(0.5);
    if (!request.injectedError) {
      inject(() -> endpoint.sendQueue().spoil(request, CompletionStatus.TRANSPORT_RETRY));
    }
    return !request.injectedError;
  }

  private void inject(Runnable action) {
    network.events().after(link.latency(), EventKind.INJECTED, endpoint.id(), action);
  }

  private void schedule(Request request, long departed) {
    lastArrival = Math.max(lastArrival, departed + link.latency());
    network.arrivesAt(lastArrival);
    network
        .events()
        .at(lastArrival, EventKind.ARRIVAL, endpoint.id(), () -> pass(request, departed));
  }

  private void pass(Request request, long departed) {
    if (!link.loses(endpoint.host(), departed)) {
      arrive(request);
    } else if (network.random().chance(network.faults().lateRate())) {
      long delay = network.random().between(0, network.config().timings().lateMaxNanos());
      request.capture();
      network.count("late");
      network.events().after(delay, EventKind.ARRIVAL, endpoint.id(), () -> arrive(request));
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
