package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.sim.events.EventKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Requesting half of an endpoint: keeps requests in order until they are acknowledged, retransmits the oldest, and
 * gives up after the retry time-out.
 */
final class SimSendQueue {

  private static final WorkRequest NOTIFICATION = new WorkRequest();

  private final PairEnd endpoint;
  private final SimWorld world;
  private final Transmitter transmitter;

  /** In posting order; the first {@link #sent} of them are in transit. */
  private final List<Request> outstanding = new ArrayList<>();

  private int sent;
  private int occupiedSlots;
  private int silentSlots;
  private long nextSequence;
  private long progressAt;
  private boolean timerSet;

  SimSendQueue(PairEnd endpoint, SimDirection link) {
    this.endpoint = endpoint;
    this.world = endpoint.world();
    this.transmitter = new Transmitter(endpoint, link);
  }

  PostResult post(WorkRequest posted) {
    if (occupiedSlots >= endpoint.fabric().capabilities().sendQueueDepth()) {
      return PostResult.QUEUE_FULL;
    }
    occupiedSlots++;
    enqueue(new Request(endpoint, nextSequence++, posted));
    return PostResult.POSTED;
  }

  /** A notification follows all earlier requests; one at the tail suffices. */
  void notifyPeer() {
    Request last = outstanding.isEmpty() ? null : outstanding.get(outstanding.size() - 1);
    if (last == null || !last.isNotification() || last.executed) {
      enqueue(new Request(endpoint, nextSequence++, NOTIFICATION));
    }
  }

  private void enqueue(Request request) {
    outstanding.add(request);
    if (!request.fenced) {
      readLocalMemory(request);
    }
    pump();
  }

  /** Now or, as the seed decides, when the request arrives. */
  private void readLocalMemory(Request request) {
    boolean inline = !request.fenced
        && request.lengthBytes <= endpoint.fabric().capabilities().maxInlineBytes();
    if (inline || !world.random().chance(world.faults().readLateRate())) {
      request.capture();
    }
  }

  void notBefore(long time) {
    transmitter.notBefore(time);
  }

  /** Sends the permitted requests. */
  private void pump() {
    while (endpoint.isReady() && sent < outstanding.size()) {
      Request next = outstanding.get(sent);
      if (next.refusal != null || (next.fenced && resultsAwaited())) {
        break;
      }
      sent++;
      if (next.fenced) {
        readLocalMemory(next);
      }
      transmit(next);
    }
    failRefusedHead();
  }

  /** The request fails without being sent, once all earlier requests have completed. */
  void spoil(Request request, CompletionStatus status) {
    request.refusal = status;
    failRefusedHead();
  }

  private void failRefusedHead() {
    Request head = outstanding.isEmpty() ? null : outstanding.get(0);
    if (head != null && head.refusal != null) {
      endpoint.fail(head, head.refusal, "request failed on this side: " + head.refusal);
    }
  }

  private boolean resultsAwaited() {
    return outstanding.subList(0, sent).stream().anyMatch(Request::bringsResult);
  }

  private void transmit(Request request) {
    transmitter.send(request);
    if (!timerSet && !outstanding.isEmpty()) {
      timerSet = true;
      setTimer(request.departedAt + world.config().timings().retransmitIntervalNanos());
    }
  }

  private void setTimer(long time) {
    world.events().at(time, EventKind.RETRY_TIMER, endpoint.id(), this::onTimer);
  }

  private void onTimer() {
    timerSet = false;
    if (!endpoint.isReady() || outstanding.isEmpty()) {
      return;
    }
    Request head = outstanding.get(0);
    SimTimings timings = world.config().timings();
    long again = Math.max(progressAt, head.departedAt) + timings.retransmitIntervalNanos();
    long waited = world.now() - Math.max(progressAt, head.firstDepartedAt);
    if (world.now() < again) {
      timerSet = true;
      setTimer(again);
    } else if (waited >= timings.retryTimeoutNanos()) {
      timeOut(head, waited);
    } else {
      sent = 1;
      transmit(head);
    }
  }

  private void timeOut(Request head, long waitedNanos) {
    String reason = "no acknowledgement from " + endpoint.remoteDescription();
    endpoint.fail(
        head, CompletionStatus.TRANSPORT_RETRY, reason + " for " + waitedNanos / 1_000 + " us");
  }

  /** All requests up to {@code sequence} took effect. */
  void acknowledged(long sequence) {
    if (!endpoint.isReady()) {
      return;
    }
    progressAt = world.now();
    boolean going = true;
    while (going && !outstanding.isEmpty() && outstanding.get(0).sequence <= sequence) {
      going = complete(outstanding.get(0));
    }
    pump();
  }

  /** All requests before {@code request} took effect; this one was refused. */
  void refused(Request request, CompletionStatus status) {
    acknowledged(request.sequence - 1);
    endpoint.fail(request, status, "refused by " + endpoint.remoteDescription() + ": " + status);
  }

  /** The peer is alive and has no posted receive. */
  void receiverWaits() {
    progressAt = world.now();
  }

  private boolean complete(Request head) {
    if (head.injectedError) {
      endpoint.fail(head, CompletionStatus.TRANSPORT_RETRY, "injected completion error");
      return false;
    }
    if (!head.store()) {
      endpoint.fail(head, CompletionStatus.LOCAL_PROTECTION, "local memory was deregistered");
      return false;
    }
    outstanding.remove(0);
    sent = Math.max(0, sent - 1);
    silentSlots += head.isNotification() ? 0 : 1;
    if (head.signaled) {
      deliver(head, CompletionStatus.SUCCESS);
    }
    return true;
  }

  private void deliver(Request request, CompletionStatus status) {
    endpoint.enqueue(new SimDelivery.Sent(request, status, silentSlots));
    silentSlots = 0;
  }

  /** As with verbs a place is free once a completion of it or a later request was polled. */
  void release(int slots) {
    occupiedSlots -= slots;
  }

  /** Local memory returns to the caller, so requests in transit copy it. */
  void capture() {
    outstanding.forEach(Request::capture);
  }

  void deliverFailure(Request failed, CompletionStatus status) {
    if (outstanding.remove(failed) && !failed.isNotification()) {
      silentSlots++;
      deliver(failed, status);
    }
  }

  void flush() {
    for (Request request : outstanding) {
      if (!request.isNotification()) {
        silentSlots++;
        deliver(request, CompletionStatus.FLUSHED);
      }
    }
    outstanding.clear();
    sent = 0;
  }
}
