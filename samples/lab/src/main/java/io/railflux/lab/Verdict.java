package io.railflux.lab;

import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.exceptions.StreamRejectedException.Reason;
import io.railflux.lab.Flow.End;
import java.util.concurrent.CancellationException;

/** Final checks of a flow after its last event. */
final class Verdict {

  private final Flow flow;
  private final Journal journal;

  Verdict(Flow flow, Journal journal) {
    this.flow = flow;
    this.journal = journal;
  }

  /** Returns whether no further event of the flow is expected before its session ends. */
  static boolean isSettled(Flow flow) {
    Story story = flow.plan.story();
    boolean cancelledAtOnce =
        story == Story.RECEIVER_CANCELS && flow.plan.at() == 0 && flow.emitted() == 0;
    boolean neverAsked = !flow.isOpened() && flow.isReply() && flow.receiverEnd() != null;
    boolean senderDone = !story.sends()
        || flow.senderEnd() != null
        || (story == Story.NEVER_SUBSCRIBED && flow.isOpened())
        || cancelledAtOnce
        || mayComeLate(flow)
        || neverAsked;
    boolean refused = flow.senderError() instanceof StreamRejectedException;
    boolean receiverDone =
        !story.receives() || flow.receiverEnd() != null || refused || isDisplaced(flow);
    return senderDone && receiverDone;
  }

  /**
   * Returns whether the flow is a second sender whose OPEN may arrive late. Over several rails, or after a replay, it
   * may arrive after the end of the first sender. It then waits for its own subscriber.
   */
  private static boolean mayComeLate(Flow flow) {
    boolean inOrder = flow.from.node.engine().rails().size() == 1
        && flow.from.channel.counters().endpointsLost() == 0;
    return flow.plan.story() == Story.SECOND_SENDER && flow.isOpened() && !inOrder;
  }

  /**
   * Returns whether the flow ended before a subscription and was displaced by others. Its subscriber waits for the next
   * flow.
   */
  private static boolean isDisplaced(Flow flow) {
    return !flow.isReply()
        && flow.senderEnd() != null
        && flow.emitted() == 0
        && flow.to.node.limits().maxStreams() < Scenario.ENOUGH_STREAMS;
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      journal.violation(what + ": " + flow);
    }
  }

  /** Checks rules that hold for every session. */
  void general() {
    require(
        !flow.from.isAlive() || !flow.isOpened() || flow.senderEnd() != null,
        "the sender never ended");
    require(
        !flow.to.isAlive() || !flow.isSubscribed() || flow.receiverEnd() != null,
        "the subscriber never ended");
    boolean whole = flow.plan.isTimed() || flow.delivered() == flow.emitted();
    require(
        flow.senderEnd() != End.COMPLETED || flow.receiverEnd() != End.COMPLETED || whole,
        "both sides completed, but not all messages were delivered");
    require(
        flow.receiverEnd() != End.COMPLETED
            || flow.plan.isTimed()
            || flow.delivered() == flow.plan.count(),
        "completed without all messages");
    if (flow.senderError() instanceof DeliveryUnknownException unknown) {
      require(
          unknown.acknowledgedCount() == flow.acknowledged(),
          "DeliveryUnknownException has a wrong count, " + unknown.acknowledgedCount());
    }
    if (flow.senderError() instanceof StreamCancelledException cancelled) {
      require(
          cancelled.acknowledgedCount() == flow.acknowledged(),
          "StreamCancelledException has a wrong count, " + cancelled.acknowledgedCount());
    }
  }

  /** Checks rules that hold if the session lived until every flow had settled. */
  void story() {
    if (isRejected(flow.senderError(), Reason.TOO_MANY_STREAMS)) {
      require(flow.delivered() == 0, "delivered although refused");
      return;
    }
    boolean waited =
        flow.receiverEnd() == null || flow.receiverError() instanceof PeerClosedException;
    if (isDisplaced(flow) && waited) {
      return;
    }
    switch (flow.plan.story()) {
      case COMPLETES -> completes();
      case SOURCE_FAILS -> fails(Source.SourceFailure.class);
      case TOO_LARGE -> tooLarge();
      case SENDER_CANCELS -> senderCancels();
      case RECEIVER_CANCELS ->
        require(flow.receiverEnd() != End.FAILED, "failed instead of being cancelled");
      case DECODER_THROWS, SUBSCRIBER_THROWS -> receiverThrows();
      case CODEC_MISMATCH -> rejected(Reason.CODEC_MISMATCH);
      case SECOND_SUBSCRIBER, SECOND_SENDER -> rejected(Reason.DUPLICATE_NAME);
      case NO_ROUTE -> rejected(Reason.NO_SUCH_ROUTE);
      case NEVER_SUBSCRIBED -> require(flow.emitted() == 0, "pulled without a subscriber");
    }
  }

  /** The size of a message that expired while queued is not checked. */
  private void tooLarge() {
    if (flow.plan.isTimed() && flow.senderEnd() == End.COMPLETED) {
      completes();
    } else {
      fails(MessageTooLargeException.class);
    }
  }

  private void completes() {
    require(flow.senderEnd() == End.COMPLETED, "the sender did not complete");
    require(flow.receiverEnd() == End.COMPLETED, "the subscriber did not complete");
    require(flow.plan.isTimed() || flow.delivered() == flow.plan.count(), "not all was delivered");
  }

  private void fails(Class<? extends Throwable> cause) {
    require(cause.isInstance(flow.senderError()), "the sender did not fail as planned");
    require(
        flow.receiverError() instanceof RemoteStreamException remote
            && remote.remoteClass().equals(cause.getName()),
        "the subscriber did not receive the failure");
    require(
        flow.plan.isTimed() || flow.delivered() == flow.plan.at(),
        "messages sent before the failure were not delivered");
  }

  private void senderCancels() {
    if (flow.senderEnd() == End.COMPLETED) {
      completes();
      return;
    }
    require(flow.senderError() instanceof CancellationException, "not cancelled");
    require(
        flow.receiverError() instanceof RemoteStreamException, "did not receive the cancellation");
    require(
        flow.plan.isTimed() || flow.delivered() == flow.acknowledged(),
        "messages sent before the cancellation were not delivered");
  }

  private void receiverThrows() {
    if (flow.receiverEnd() == End.COMPLETED) {
      require(flow.plan.isTimed(), "completed instead of failing");
      return;
    }
    require(flow.receiverError() instanceof Receiver.ReceiverFailure, "failed with another cause");
  }

  private void rejected(Reason reason) {
    boolean waited = mayComeLate(flow) && flow.emitted() == 0;
    if (flow.plan.story().sends() && flow.isOpened() && flow.plan.count() > 0 && !waited) {
      require(isRejected(flow.senderError(), reason), "the sender was not refused");
    }
    if (flow.plan.story().receives()) {
      require(isRejected(flow.receiverError(), reason), "the subscriber was not refused");
    }
    require(flow.delivered() == 0, "delivered although refused");
  }

  private static boolean isRejected(Throwable error, Reason reason) {
    return error instanceof StreamRejectedException rejected && rejected.reason() == reason;
  }
}
