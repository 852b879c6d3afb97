package io.railflux.samples.bench;

import org.openjdk.jmh.infra.Blackhole;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Requests values and counts them. */
final class Taker<T> extends BaseSubscriber<T> {

  private final Blackhole end;
  private long taken;

  Taker(Blackhole end) {
    this.end = end;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    // Each measurement requests its values.
  }

  @Override
  protected void hookOnNext(T value) {
    took(value);
  }

  void took(T value) {
    end.consume(value);
    taken++;
  }

  /** Returns the total number of values, including these. */
  long take(int count) {
    long before = taken;
    request(count);
    if (taken - before != count) {
      throw new IllegalStateException((taken - before) + " of " + count + " values arrived");
    }
    return taken;
  }
}
