package io.railflux.samples.cli.netlab;

import io.railflux.Route;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;
import reactor.core.publisher.Mono;

/** Consecutive requests, whose replies must be correct. */
final class Requests {

  private final Line line;
  private final Route<Payload, Payload> route;
  private final Payload request = new Payload();
  private final Reading reading;
  private volatile long answered;
  private volatile long damaged;

  Requests(Line line, int sizeBytes) {
    this.line = line;
    this.route = FarHost.requests(sizeBytes);
    this.reading = new Reading(Work.CHECKSUM, sizeBytes);
    request.wrap(Payload.fill(sizeBytes), 0, sizeBytes);
  }

  /** Sends the next request after the answer to the previous one. */
  Mono<Payload> next() {
    return Mono.defer(
        () -> line.peer().request(route, request.number(answered)).doOnNext(this::check));
  }

  /** The reply is valid only during the call. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Written by one engine thread.
  private void check(Payload reply) {
    if (reply.number() != answered || !reading.isIntact(reply.buffer(), reply.offset())) {
      damaged++;
    }
    answered++;
  }

  Order.Tally tally() {
    return new Order.Tally(answered, 0, 0, 0, damaged);
  }
}
