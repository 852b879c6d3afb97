package io.railflux.samples.cli.netlab;

import io.railflux.Route;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;
import reactor.core.publisher.Mono;

/** Requests one after the other, whose replies must be what was asked for. */
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

  /** The next one, when the one before was answered. */
  Mono<Payload> next() {
    return Mono.defer(
        () -> line.peer().request(route, request.number(answered)).doOnNext(this::check));
  }

  /** The reply is there as long as the call lasts. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Of one engine thread.
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
