package io.railflux.samples.cli.demo;

import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;

/** Watches a pipeline's demand: how much is open, and how often its source had to wait for more. */
final class Credits {

  private final AtomicLong open = new AtomicLong();
  private final AtomicLong stalls = new AtomicLong();

  <T> Flux<T> watch(Flux<T> source) {
    return source.doOnRequest(open::addAndGet).doOnNext(value -> used());
  }

  private void used() {
    if (open.decrementAndGet() == 0) {
      stalls.incrementAndGet();
    }
  }

  /** Asked for and not yet handed over. */
  long open() {
    return open.get();
  }

  /** Times everything asked for had been handed over. */
  long stalls() {
    return stalls.get();
  }
}
