package io.railflux.samples.cli.perf;

import io.railflux.Route;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Sample;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Mono;

/** Consecutive requests. Each one is sent after the answer to the previous one. */
final class Requests implements Measurement {

  private final Session session;
  private final Payloads payloads;
  private final Reading reading;
  private final Route<Payload, Payload> route;

  Requests(Session session) {
    this.session = session;
    this.payloads = new Payloads(session.plan().sizeBytes());
    this.reading = session.plan().reading();
    this.route = Agent.requests(session.plan().sizeBytes());
  }

  @Override
  public Sample run(int round, long nanos) {
    Histogram times = Sample.histogram();
    long begun = System.nanoTime();
    Mono<Payload> timed = Mono.defer(() -> {
      long asked = System.nanoTime();
      return session
          .peer()
          .request(route, payloads.numbered(times.getTotalCount()))
          .doOnNext(reply -> {
            reading.read(reply.buffer(), reply.offset());
            Sample.record(times, System.nanoTime() - asked);
          });
    });
    session.await(
        timed.repeat(() -> System.nanoTime() - begun < nanos).then(),
        Session.PATIENCE.plus(Duration.ofNanos(nanos)));
    return new Sample(times.getTotalCount(), System.nanoTime() - begun, times);
  }
}
