package io.railflux.fabric.disni;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.FabricListener;

/**
 * Tells an endpoint's listener what happened, in order: receives and ended requests; after a failure
 * the failed request, the error, what was flushed, and at last that it is drained. Any callback may
 * close the endpoint. Engine thread only.
 */
final class Delivery {

  /** Flushes come at once, or the card is in trouble; then its queue pair is destroyed. */
  private static final long DRAIN_NANOS = 1_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final DisniEndpoint endpoint;
  private final SendQueue sends;
  private final ReceiveQueue receives;
  private final FabricListener listener;
  private final Completion completion;
  private String reason;
  private boolean errorTold;
  private long begunNanos;
  private long marker = NEVER;

  /** @param completion of the fabric, filled anew for each callback */
  record Target(FabricListener listener, Completion completion) {}

  Delivery(DisniEndpoint endpoint, SendQueue sends, ReceiveQueue receives, Target target) {
    this.endpoint = endpoint;
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

  /** One callback, if there is cause for one. */
  private boolean step() {
    return switch (endpoint.state()) {
      case READY -> tellReceive() || tellRequest(false);
      case DRAINING -> tellDraining();
      case DRAINED, CLOSED -> false;
    };
  }

  private boolean tellReceive() {
    if (!receives.hasMatch()) {
      return false;
    }
    int slot = receives.take(completion);
    if (completion.succeeded()) {
      endpoint.repost(slot);
    } else {
      endpoint.fail("a message met a receive that cannot take it: " + completion.status());
    }
    listener.onCompletion(endpoint, completion);
    return true;
  }

  /** Skips what the user does not want to hear of. */
  private boolean tellRequest(boolean over) {
    for (CompletionStatus status = sends.head(over); status != null; status = sends.head(over)) {
      boolean flushed = status == CompletionStatus.FLUSHED;
      if (status != CompletionStatus.SUCCESS) {
        endpoint.fail("a request failed: " + status);
      }
      if (flushed && !errorTold) {
        return false;
      }
      if (sends.end(status, completion)) {
        listener.onCompletion(endpoint, completion);
        return true;
      }
    }
    return false;
  }

  private boolean tellDraining() {
    boolean over = endpoint.isOver();
    if (tellRequest(over)) {
      return true;
    }
    if (!errorTold) {
      errorTold = true;
      listener.onError(endpoint, reason);
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

  void begin(String why, long nowNanos) {
    reason = why;
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
