package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.sim.events.EventKind;

/** Acknowledgements and refusals in transit, in order, subject to the link. */
final class Answers {

  private final PairEnd endpoint;
  private final SimDirection link;
  private final SimWorld world;
  private long lastArrival;

  Answers(PairEnd endpoint, SimDirection link) {
    this.endpoint = endpoint;
    this.link = link;
    this.world = endpoint.world();
  }

  void acknowledge(Request request, long delayNanos) {
    SimSendQueue origin = request.origin.sendQueue();
    long size = request.bringsResult() ? request.lengthBytes : 0;
    back(EventKind.ACKNOWLEDGE, size, delayNanos, () -> origin.acknowledged(request.sequence));
  }

  void refuse(Request request, CompletionStatus status) {
    SimSendQueue origin = request.origin.sendQueue();
    back(EventKind.REFUSE, 0, 0, () -> origin.refused(request, status));
  }

  void receiverWaits(Request request) {
    back(EventKind.RECEIVER_WAIT, 0, 0, request.origin.sendQueue()::receiverWaits);
  }

  private void back(EventKind kind, long size, long delayNanos, Runnable action) {
    if (endpoint.mapped()) {
      action.run();
      return;
    }
    long departed = link.depart(endpoint.id(), size);
    lastArrival = Math.max(lastArrival, departed + delayNanos + link.latency());
    world.events().at(lastArrival, kind, endpoint.id(), () -> {
      if (!link.loses(departed)) {
        action.run();
      }
    });
  }
}
