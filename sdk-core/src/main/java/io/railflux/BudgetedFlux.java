package io.railflux;

import io.railflux.message.Message;
import io.railflux.pipeline.EngineAffinity;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Passes demand on only as far as the message budget surely holds what it brings, so that an unbounded
 * subscriber that keeps its messages pauses the producer instead of failing.
 */
final class BudgetedFlux extends Flux<Message> {

  private final Publisher<Message> source;
  private final Messages messages;
  private final EngineAffinity engine;

  BudgetedFlux(Publisher<Message> source, Messages messages, EngineAffinity engine) {
    this.source = source;
    this.messages = messages;
    this.engine = engine;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Message> actual) {
    source.subscribe(new Budgeted(actual, messages, engine));
  }

  private static final class Budgeted
      implements CoreSubscriber<Message>, Subscription, Messages.Claimant {

    private final CoreSubscriber<? super Message> actual;
    private final Messages messages;
    private final EngineAffinity engine;
    private Subscription upstream;

    // Engine thread only.
    private long requested;
    private long granted;
    private boolean ended;

    Budgeted(CoreSubscriber<? super Message> actual, Messages messages, EngineAffinity engine) {
      this.actual = actual;
      this.messages = messages;
      this.engine = engine;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription s) {
      if (Operators.validate(upstream, s)) {
        upstream = s;
        messages.register(this);
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

    @Override
    public void grant() {
      long wanted = ended ? 0 : requested - granted;
      long more = messages.reserve(wanted, granted);
      if (more > 0) {
        granted += more;
        upstream.request(more);
      }
    }

    @Override
    public void onNext(Message message) {
      granted--;
      if (requested != Long.MAX_VALUE) {
        requested--;
      }
      messages.unreserve(1);
      actual.onNext(message);
      grant();
    }

    @Override
    public void onError(Throwable t) {
      end();
      actual.onError(t);
    }

    @Override
    public void onComplete() {
      end();
      actual.onComplete();
    }

    @Override
    public void cancel() {
      upstream.cancel();
      if (engine.inEngine()) {
        end();
      } else {
        engine.execute(this::end);
      }
    }

    private void end() {
      if (!ended) {
        ended = true;
        long unused = granted;
        granted = 0;
        messages.unregister(this);
        messages.unreserve(unused);
      }
    }
  }
}
