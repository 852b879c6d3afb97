package io.railflux.lab;

import io.railflux.lab.FlowPlan.Pace;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** Subscribes to one flow and requests at the pace of its plan. */
final class Receiver implements CoreSubscriber<Long> {

  /** The failure that a subscriber or a codec throws. */
  static final class ReceiverFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReceiverFailure(String message) {
      super(message, null, false, false);
    }
  }

  private final Flow flow;
  private final SimulatedNode node;
  private final SeededRandom random;
  private final int batch;
  private Subscription subscription;
  private boolean cancelled;

  Receiver(Flow flow, SimulatedNode node, SeededRandom random) {
    this.flow = flow;
    this.node = node;
    this.random = random;
    this.batch = random.between(2, 300);
  }

  @Override
  public void onSubscribe(Subscription s) {
    subscription = s;
    flow.subscribed();
    if (!cancelIfDue()) {
      requestFirst();
    }
  }

  private void requestFirst() {
    switch (flow.plan.manner().pace()) {
      case UNBOUNDED -> request(Long.MAX_VALUE);
      case ONE_BY_ONE -> request(1);
      case BATCHES, ESCALATING -> request(batch);
      case SLOW, BURSTS -> requestLater();
    }
  }

  private void request(long n) {
    if (flow.receiverEnd() == null) {
      flow.requested(n);
      subscription.request(n);
    }
  }

  private void requestLater() {
    boolean slow = flow.plan.manner().pace() == Pace.SLOW;
    long n = slow ? 1 : random.between(1, batch);
    long delay = slow ? random.micros(5, 100) : random.micros(5, 600);
    if (flow.plan.manner().foreign()) {
      node.later(delay, () -> request(n));
    } else {
      node.laterOnEngine(delay, () -> request(n));
    }
  }

  @Override
  public void onNext(Long number) {
    flow.delivered(number);
    if (flow.plan.story() == Story.SUBSCRIBER_THROWS && flow.delivered() > flow.plan.at()) {
      throw new ReceiverFailure(flow.name);
    }
    if (cancelIfDue()) {
      return;
    }
    requestNext();
  }

  private void requestNext() {
    boolean exhausted = flow.openDemand() == 0;
    switch (flow.plan.manner().pace()) {
      case UNBOUNDED -> {}
      case ONE_BY_ONE -> request(1);
      case BATCHES -> requestHalf();
      case ESCALATING -> {
        if (flow.delivered() > flow.plan.count() / 2 && !flow.isUnbounded()) {
          request(Long.MAX_VALUE);
        } else {
          requestHalf();
        }
      }
      case SLOW, BURSTS -> {
        if (exhausted) {
          requestLater();
        }
      }
    }
  }

  private void requestHalf() {
    if (flow.openDemand() <= batch / 2) {
      request(batch - batch / 2);
    }
  }

  /** Cancels when the plan requires it. Returns whether no signal may follow. */
  private boolean cancelIfDue() {
    boolean due = flow.plan.story() == Story.RECEIVER_CANCELS
        && !cancelled
        && flow.delivered() >= flow.plan.at();
    if (!due) {
      return false;
    }
    cancelled = true;
    if (!flow.plan.manner().foreign()) {
      cancel();
      return true;
    }
    // Signals that are in flight may arrive until the engine processes the cancellation.
    node.later(random.micros(0, 100), () -> {
      subscription.cancel();
      node.engine().execute(flow::receiverCancelled);
    });
    return false;
  }

  /** Cancels on the engine thread: no signal follows. */
  void cancel() {
    flow.receiverCancelled();
    if (subscription != null) {
      subscription.cancel();
    }
  }

  @Override
  public void onError(Throwable error) {
    flow.receiverFailed(error);
  }

  @Override
  public void onComplete() {
    flow.receiverCompleted();
  }
}
