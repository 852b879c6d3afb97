package io.railflux.samples.cli.demo;

import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** What one of the other processes told last, and its memory over time. */
final class Told {

  private final CompletableFuture<Status> done = new CompletableFuture<>();
  private final Footprint memory;
  private volatile Status status = Status.NONE;

  Told(long warmUpNanos) {
    memory = new Footprint(warmUpNanos);
  }

  /** Engine thread. One that was overtaken by the last says nothing new. */
  Mono<Boolean> hear(Status told) {
    if (!done.isDone()) {
      status = told;
      memory.add(told.rssMiB(), told.events(), System.nanoTime());
      if (told.done()) {
        done.complete(told);
      }
    }
    return Mono.just(true);
  }

  Status status() {
    return status;
  }

  Footprint memory() {
    return memory;
  }

  /** Completes with the last status. */
  CompletableFuture<Status> done() {
    return done;
  }
}
