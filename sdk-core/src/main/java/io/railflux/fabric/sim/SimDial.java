package io.railflux.fabric.sim;

import io.railflux.fabric.FabricListener;
import io.railflux.fabric.sim.events.EventKind;

/** One connect. */
final class SimDial {

  private final SimFabric fabric;
  private final SimWorld world;
  private final String location;
  private final long attempt;
  private final FabricListener listener;
  private final long deadline;
  private SimLink link;
  private SimHost target;
  private boolean settled;

  SimDial(SimFabric fabric, String location, long attempt, FabricListener listener) {
    this.fabric = fabric;
    this.world = fabric.world();
    this.location = location;
    this.attempt = attempt;
    this.listener = listener;
    this.deadline = world.now() + world.config().timings().connectTimeoutNanos();
  }

  void begin() {
    int slash = location.indexOf('/');
    target = slash < 0 ? null : fabric.host().network().hostIfKnown(location.substring(0, slash));
    if (target == null) {
      failAfter(world.config().link().latencyMaxNanos(), "no host for '" + location + "'");
      return;
    }
    link = fabric.host().network().link(fabric.host(), target, fabric.rail());
    if (link.isDown()) {
      failAfter(link.latency(), "rail " + fabric.rail() + " to " + target.name() + " is down");
    } else if (world.random().chance(world.faults().connectFailureRate())) {
      world.count("connect failure");
      failAfter(link.latency(), "connection to " + location + " was reset (injected)");
    } else {
      failAfter(deadline - world.now(), "no answer from " + location + " on " + fabric.name());
      send();
    }
  }

  private void send() {
    long departed = link.depart(fabric.host(), SimLane.NONE, 0);
    long arrival = departed + link.latency();
    world.events().at(arrival, EventKind.DIAL, attempt, () -> arrive(departed));
  }

  private void arrive(long departed) {
    if (settled || fabric.isClosed()) {
      return;
    }
    if (link.loses(fabric.host(), departed)) {
      long again = world.config().timings().retransmitIntervalNanos();
      world.events().after(again, EventKind.DIAL, attempt, this::resend);
      return;
    }
    String service = location.substring(location.indexOf('/') + 1);
    SimListening listening = target.listening(fabric.rail(), service);
    if (listening == null) {
      answer(() -> fail("no listener at " + location + " on " + fabric.name()));
    } else {
      accept(listening);
    }
  }

  private void resend() {
    if (!settled && !fabric.isClosed()) {
      send();
    }
  }

  private void accept(SimListening listening) {
    SimEndpoint accepted = new SimEndpoint(listening.fabric(), listening.listener(), link);
    accepted.describe(fabric.host(), fabric.name());
    listening.fabric().enqueue(new SimDelivery.Connected(accepted, -1));
    long arrival = answer(() -> connected(accepted));
    accepted.sendQueue().notBefore(arrival);
  }

  /** The reply; if it is lost, the remote endpoint stays half open. */
  private long answer(Runnable action) {
    long departed = link.depart(target, SimLane.NONE, 0);
    long arrival = departed + link.latency();
    world.events().at(arrival, EventKind.ACCEPT, attempt, () -> {
      if (!settled && !fabric.isClosed() && !link.loses(target, departed)) {
        action.run();
      }
    });
    return arrival;
  }

  private void connected(SimEndpoint accepted) {
    settled = true;
    SimEndpoint endpoint = new SimEndpoint(fabric, listener, link);
    endpoint.describe(accepted.fabric().host(), location);
    endpoint.pairWith(accepted);
    fabric.enqueue(new SimDelivery.Connected(endpoint, attempt));
  }

  private void failAfter(long delayNanos, String reason) {
    world.events().after(delayNanos, EventKind.DIAL_FAILED, attempt, () -> fail(reason));
  }

  private void fail(String reason) {
    if (!settled) {
      settled = true;
      fabric.enqueue(new SimDelivery.ConnectFailed(listener, attempt, reason));
    }
  }
}
