package io.railflux;

import io.railflux.message.Message;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.wire.ReceivedFrame;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Messages the subscriber owns. Passes demand on only as far as the message budget lets the stream, so
 * that an unbounded subscriber that keeps its messages pauses the producer instead of failing.
 */
final class BudgetedFlux extends Flux<Message> {

  private final Flux<ReceivedFrame> frames;
  private final String name;
  private final Messages messages;
  private final EngineAffinity engine;

  BudgetedFlux(Flux<ReceivedFrame> frames, String name, Messages messages, EngineAffinity engine) {
    this.frames = frames;
    this.name = name;
    this.messages = messages;
    this.engine = engine;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Message> actual) {
    Budgeted budgeted = new Budgeted(actual, messages.budget(), engine);
    ReceivePipeline.assemble(frames, frame -> messages.own(name, frame, budgeted))
        .subscribe(budgeted);
  }

  private static final class Budgeted implements CoreSubscriber<Message>, Subscription, Runnable {

    private final CoreSubscriber<? super Message> actual;
    private final MessageBudget budget;
    private final EngineAffinity engine;
    private Subscription upstream;
    private volatile boolean cancelled;

    // Engine thread only.
    private MessageBudget.Claim claim;
    private long requested;

    Budgeted(CoreSubscriber<? super Message> actual, MessageBudget budget, EngineAffinity engine) {
      this.actual = actual;
      this.budget = budget;
      this.engine = engine;
    }

    /** A message was closed. Any thread. */
    @Override
    public void run() {
      claim.onClosed();
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription s) {
      if (Operators.validate(upstream, s)) {
        upstream = s;
        claim = budget.open(this::grant);
        actual.onSubscribe(this);
      }
    }

    @Override
    public void request(long n) {
      if (!Operators.validate(n)) {
        return;
      }
      if (engine.inEngine()) {
        add(n);
      } else {
        engine.execute(() -> add(n));
      }
    }

    private void add(long n) {
      requested = Operators.addCap(requested, n);
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
      claim.onCame();
      if (cancelled) {
        // By another thread. Operators drop without a word what comes too late, and do not close
        // it.
        message.close();
        return;
      }
      actual.onNext(message);
      grant();
    }

    @Override
    public void onError(Throwable t) {
      claim.end();
      actual.onError(t);
    }

    @Override
    public void onComplete() {
      claim.end();
      actual.onComplete();
    }

    @Override
    public void cancel() {
      cancelled = true;
      upstream.cancel();
      if (engine.inEngine()) {
        claim.end();
      } else {
        engine.execute(claim::end);
      }
    }
  }
}
