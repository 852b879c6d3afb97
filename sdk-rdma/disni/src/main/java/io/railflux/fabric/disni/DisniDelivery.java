package io.railflux.fabric.disni;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.base.LifeCycle;
import io.railflux.fabric.disni.queue.DisniReceiveQueue;
import io.railflux.fabric.disni.queue.DisniSendQueue;

/**
 * Reports events of an endpoint to its listener in order: receives and completed requests; after a failure the failed
 * request, the error, the flushed requests, and the end of draining. Any callback may close the endpoint. Engine
 * thread only.
 */
final class DisniDelivery {

  /** Flushes complete at once unless the card fails; the queue pair is then destroyed. */
  private static final long DRAIN_NANOS = 1_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final DisniEndpoint endpoint;
  private final LifeCycle life;
  private final DisniSendQueue sends;
  private final DisniReceiveQueue receives;
  private final FabricListener listener;
  private final Completion completion;
  private long begunNanos;
  private long marker = NEVER;

  /** @param completion reused for all callbacks of the fabric */
  record Target(FabricListener listener, Completion completion) {}

  DisniDelivery(
      DisniEndpoint endpoint,
      LifeCycle life,
      DisniSendQueue sends,
      DisniReceiveQueue receives,
      Target target) {
    this.endpoint = endpoint;
    this.life = life;
    this.sends = sends;
    this.receives = receives;
    this.listener = target.listener();
    this.completion = target.completion();
  }

  int poll(int limit) {
    int delivered = 0;
    while (delivered < limit && step()) {
      delivered++;
    }
    return delivered;
  }

  /** Performs one callback, if there is one. */
  private boolean step() {
    return switch (life.state()) {
      case READY -> reportReceive() || reportRequest(false);
      case DRAINING -> reportDraining();
      case DRAINED, CLOSED -> false;
    };
  }

  private boolean reportReceive() {
    if (!receives.hasMatch()) {
      return false;
    }
    int slot = receives.take(completion);
    if (completion.succeeded()) {
      endpoint.repost(slot);
    } else {
      endpoint.fail("a message did not fit its receive: " + completion.status());
    }
    listener.onCompletion(endpoint, completion);
    return true;
  }

  /** Skips successful unsignaled requests. */
  private boolean reportRequest(boolean over) {
    for (CompletionStatus status = sends.head(over); status != null; status = sends.head(over)) {
      boolean flushed = status == CompletionStatus.FLUSHED;
      if (status != CompletionStatus.SUCCESS) {
        endpoint.fail("a request failed: " + status);
      }
      if (flushed && !life.isFailureReported()) {
        return false;
      }
      if (sends.end(status, completion)) {
        listener.onCompletion(endpoint, completion);
        return true;
      }
    }
    return false;
  }

  private boolean reportDraining() {
    boolean over = endpoint.isOver();
    if (reportRequest(over)) {
      return true;
    }
    if (life.claimFailure()) {
      listener.onError(endpoint, life.failure());
      return true;
    }
    if (!over || !sends.isEmpty()) {
      return false;
    }
    if (receives.flush(completion)) {
      listener.onCompletion(endpoint, completion);
    } else {
      endpoint.drained();
      listener.onDrained(endpoint);
    }
    return true;
  }

  void begin(long nowNanos) {
    begunNanos = nowNanos;
  }

  void awaitMarker(long sequence) {
    marker = sequence;
  }

  void awaitTime() {
    marker = NEVER;
  }

  boolean isMarkerBefore(long done) {
    return marker < done;
  }

  boolean isOverdue(long nowNanos) {
    return nowNanos - begunNanos >= DRAIN_NANOS;
  }
}
