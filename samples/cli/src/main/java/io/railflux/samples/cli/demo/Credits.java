package io.railflux.samples.cli.demo;

import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;

/** Observes the demand of a pipeline: open requests, and how often the source waited for demand. */
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

  /** Returns the number of requested elements that were not yet delivered. */
  long open() {
    return open.get();
  }

  /** Returns how often all requested elements had been delivered. */
  long stalls() {
    return stalls.get();
  }
}
