package io.railflux.samples.cli.demo;

import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** The latest report of another process, and its memory over time. */
final class LatestStatus {

  private final CompletableFuture<Status> done = new CompletableFuture<>();
  private final Footprint memory;
  private volatile Status status = Status.NONE;

  LatestStatus(long warmUpNanos) {
    memory = new Footprint(warmUpNanos);
  }

  /** Engine thread. A report that a later one overtook is dropped. */
  Mono<Boolean> update(Status latest) {
    if (!done.isDone()) {
      status = latest;
      memory.add(latest.rssMiB(), latest.events(), System.nanoTime());
      if (latest.done()) {
        done.complete(latest);
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
