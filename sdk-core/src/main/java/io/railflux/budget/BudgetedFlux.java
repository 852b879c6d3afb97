package io.railflux.budget;

import io.railflux.message.Message;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.pipeline.EngineSubscription;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.wire.ReceivedFrame;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Messages that the subscriber owns. Demand passes only within the message budget, so that an unbounded subscriber
 * that keeps its messages pauses the producer instead of failing. A cancelled subscription releases its messages,
 * because operators drop queued messages on cancellation.
 */
public final class BudgetedFlux extends Flux<Message> {

  private final Flux<ReceivedFrame> frames;
  private final String name;
  private final Messages messages;
  private final EngineAffinity engine;

  public BudgetedFlux(
      Flux<ReceivedFrame> frames, String name, Messages messages, EngineAffinity engine) {
    this.frames = frames;
    this.name = name;
    this.messages = messages;
    this.engine = engine;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Message> actual) {
    Messages.Holding holding = messages.hold(name);
    ReceivePipeline.assemble(frames, holding::own)
        .subscribe(new Budgeted(actual, messages.budget(), holding, engine));
  }

  private static final class Budgeted extends EngineSubscription
      implements CoreSubscriber<Message> {

    private final CoreSubscriber<? super Message> actual;
    private final MessageBudget budget;
    private final Messages.Holding holding;
    private Subscription upstream;
    private volatile boolean cancelled;

    // Engine thread only. The claim opens with the first request.
    private MessageBudget.Claim claim;
    private boolean ended;

    Budgeted(
        CoreSubscriber<? super Message> actual,
        MessageBudget budget,
        Messages.Holding holding,
        EngineAffinity engine) {
      super(engine);
      this.actual = actual;
      this.budget = budget;
      this.holding = holding;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription s) {
      if (Operators.validate(upstream, s)) {
        upstream = s;
        actual.onSubscribe(this);
      }
    }

    @Override
    protected void onDemand() {
      if (claim == null) {
        if (cancelled || ended) {
          // No later signal would end the claim.
          return;
        }
        claim = budget.open(this::grant, holding::isInUse);
      }
      grant();
    }

    private void grant() {
      long more = claim.more(requested - claim.asked());
      if (more > 0) {
        upstream.request(more);
      }
    }

    @Override
    public void onNext(Message message) {
      if (requested != Long.MAX_VALUE) {
        requested--;
      }
      claim.onArrived();
      if (cancelled) {
        // Cancelled by another thread. Operators drop late messages without closing them.
        message.close();
        return;
      }
      actual.onNext(message);
      grant();
    }

    @Override
    public void onError(Throwable t) {
      holding.expectDrops();
      endClaim();
      actual.onError(t);
    }

    @Override
    public void onComplete() {
      endClaim();
      actual.onComplete();
    }

    @Override
    public void cancel() {
      cancelled = true;
      upstream.cancel();
      holding.writeOff();
      if (inEngine()) {
        endClaim();
      } else {
        execute(this::endClaim);
      }
    }

    private void endClaim() {
      ended = true;
      if (claim != null) {
        claim.end();
      }
    }
  }
}
