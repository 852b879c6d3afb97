package io.railflux.pipeline;

import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The source and the subscriber of an {@link OnEngine} in a race. The source is driven manually, and the subscriber
 * adds up values.
 */
final class RaceEnds implements Publisher<Integer>, CoreSubscriber<Integer> {

  Subscriber<? super Integer> source;
  Subscription subscription;

  /** The digits received, in order. */
  int received;

  /** The digits discarded, in order. */
  int discarded;

  boolean completed;

  static RaceEnds of(RaceEngine engine) {
    RaceEnds ends = new RaceEnds();
    engine.execute(() -> new OnEngine<>(ends, engine, 8).subscribe(ends));
    engine.run();
    return ends;
  }

  @Override
  public Context currentContext() {
    return Operators.enableOnDiscard(
        Context.empty(), value -> discarded = 10 * discarded + (Integer) value);
  }

  @Override
  public void subscribe(Subscriber<? super Integer> subscriber) {
    source = subscriber;
    subscriber.onSubscribe(Operators.emptySubscription());
  }

  @Override
  public void onSubscribe(Subscription s) {
    subscription = s;
    s.request(8);
  }

  @Override
  public void onNext(Integer value) {
    received = 10 * received + value;
  }

  @Override
  public void onError(Throwable t) {
    throw new AssertionError(t);
  }

  @Override
  public void onComplete() {
    completed = true;
  }
}
