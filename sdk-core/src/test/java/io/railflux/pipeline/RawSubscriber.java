package io.railflux.pipeline;

import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** A subscriber without surrounding operators. It sees the subscription of the tested operator. */
record RawSubscriber<T>(
    Consumer<Subscription> subscribed, Consumer<? super T> values, Consumer<String> errors)
    implements CoreSubscriber<T> {

  @Override
  public void onSubscribe(Subscription s) {
    subscribed.accept(s);
  }

  @Override
  public void onNext(T value) {
    values.accept(value);
  }

  @Override
  public void onError(Throwable t) {
    errors.accept(t.getMessage());
  }

  @Override
  public void onComplete() {
    errors.accept("complete");
  }
}
