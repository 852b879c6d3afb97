package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.sim.events.EventKind;
import java.util.ArrayDeque;

/**
 * Responding half of an endpoint: processes requests in sequence, applies them and replies. It drops requests out of
 * sequence, and repeats the reply to duplicates.
 */
final class SimResponder {

  private final PairEnd endpoint;
  private final SimWorld world;
  private final Effects effects;
  private final Answers answers;
  private final ArrayDeque<Receive> receives = new ArrayDeque<>();

  /** Requests in sequence that wait for a receive, or for the requests before them. */
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();

  private Request announced;
  private int occupiedReceives;
  private long expected;
  private boolean sealed;

  /** The first waiting request is becoming visible. */
  private boolean placing;

  SimResponder(PairEnd endpoint, SimDirection link) {
    this.endpoint = endpoint;
    this.world = endpoint.world();
    this.effects = new Effects(endpoint);
    this.answers = new Answers(endpoint, link);
  }

  PostResult postReceive(Receive receive) {
    if (occupiedReceives >= endpoint.fabric().capabilities().receiveQueueDepth()) {
      return PostResult.QUEUE_FULL;
    }
    occupiedReceives++;
    receives.add(receive);
    if (!waiting.isEmpty()) {
      world.events().after(0, EventKind.RESUME, endpoint.id(), this::drain);
    }
    return PostResult.POSTED;
  }

  void releaseReceive() {
    occupiedReceives--;
  }

  void arrive(Request request) {
    if (sealed) {
      return;
    }
    if (!endpoint.isReady()) {
      arriveWhileDraining(request);
    } else if (request.sequence < expected) {
      answerAgain(request);
    } else if (request.sequence == expected) {
      expected++;
      corrupt(request);
      waiting.add(request);
      drain();
    }
  }

  private void corrupt(Request request) {
    boolean bits = request.carriesPayload() && request.lengthBytes > 0;
    if (bits && world.random().chance(world.faults().corruptionRate())) {
      world.count("corruption");
      request.flip(world.random().below(request.lengthBytes * Byte.SIZE));
    }
  }

  /** Requests close to their destination may land until the endpoint is drained, without a reply. */
  private void arriveWhileDraining(Request request) {
    boolean next = request.sequence == expected && waiting.isEmpty();
    if (next && request.opcode == Opcode.WRITE && world.random().chance(0.5)) {
      expected++;
      world.count("landed while draining");
      effects.write(request);
    }
  }

  private void answerAgain(Request request) {
    if (request.executed) {
      answers.acknowledge(request, 0);
    } else {
      answers.receiverWaits(request);
    }
  }

  private void drain() {
    while (endpoint.isReady() && !placing && !waiting.isEmpty()) {
      Request next = waiting.peek();
      if (next.consumesReceive() && receives.isEmpty()) {
        waitForReceive(next);
        return;
      }
      long delay = beginToPlace(next);
      if (delay > 0) {
        placing = true;
        world.events().after(delay, EventKind.PLACE, endpoint.id(), this::placed);
        return;
      }
      waiting.poll();
      execute(next);
    }
  }

  /** The bytes of a write become visible long before its immediate data announces them. */
  private long beginToPlace(Request request) {
    if (request.opcode != Opcode.WRITE_WITH_IMMEDIATE
        || request.placed
        || effects.check(request) != null) {
      return 0;
    }
    request.placed = true;
    return effects.write(request);
  }

  private void placed() {
    placing = false;
    drain();
  }

  private void waitForReceive(Request request) {
    if (announced == request) {
      return;
    }
    announced = request;
    answers.receiverWaits(request);
    long wait = world.config().timings().receiverWaitNanos();
    if (wait != SimTimings.NEVER) {
      world.events().after(wait, EventKind.RECEIVER_WAIT, endpoint.id(), () -> giveUp(request));
    }
  }

  private void giveUp(Request request) {
    if (endpoint.isReady() && waiting.peek() == request) {
      waiting.clear();
      answers.refuse(request, CompletionStatus.RECEIVER_NOT_READY);
    }
  }

  private void execute(Request request) {
    request.executed = true;
    world.record(EventKind.ARRIVAL, endpoint.id(), request.contentHash());
    CompletionStatus refusal = effects.check(request);
    if (refusal != null) {
      refuse(request, refusal);
    } else if (request.consumesReceive()) {
      receive(request);
    } else {
      answers.acknowledge(request, effects.apply(request));
    }
  }

  private void receive(Request request) {
    Receive receive = receives.poll();
    boolean data = request.opcode == Opcode.SEND;
    boolean fits = !data || request.lengthBytes <= receive.lengthBytes();
    CompletionStatus problem = fits ? null : CompletionStatus.LENGTH;
    if (!receive.usable()) {
      problem = CompletionStatus.LOCAL_PROTECTION;
    }
    if (problem != null) {
      endpoint.enqueue(new SimDelivery.Received(endpoint, receive, problem));
      refuse(request, fits ? CompletionStatus.TRANSPORT_RETRY : CompletionStatus.LENGTH);
      return;
    }
    effects.receive(request, receive);
    endpoint.enqueue(new SimDelivery.Received(endpoint, receive, request));
    answers.acknowledge(request, 0);
  }

  /** As with verbs a refused request puts both ends into error. */
  private void refuse(Request request, CompletionStatus status) {
    answers.refuse(request, status);
    endpoint.fail(null, null, "refused " + request.opcode + " of the peer: " + status);
  }

  void flush() {
    waiting.clear();
    for (Receive receive : receives) {
      endpoint.enqueue(new SimDelivery.Received(endpoint, receive, CompletionStatus.FLUSHED));
    }
    receives.clear();
  }

  /** No later request of the peer lands. */
  void seal() {
    sealed = true;
    waiting.clear();
    effects.settle();
  }
}
