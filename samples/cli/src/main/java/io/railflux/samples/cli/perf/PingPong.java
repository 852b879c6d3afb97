package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Sample;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A stream out and a stream back: each message that returns sends the next, at once or after a pause. */
final class PingPong implements Measurement {

  private final Session session;
  private final Payloads payloads;
  private final PayloadCodec codec;
  private final Reading reading;

  PingPong(Session session) {
    this.session = session;
    this.payloads = new Payloads(session.plan().sizeBytes());
    this.codec = new PayloadCodec(session.plan().sizeBytes());
    this.reading = session.plan().reading();
  }

  @Override
  public void warmUp(int round, long nanos) {
    run(round, nanos, session.plan().warmUpPauseNanos(round));
  }

  @Override
  public Sample run(int round, long nanos) {
    return run(round, nanos, session.plan().pauseNanos());
  }

  private Sample run(int round, long nanos, long pauseNanos) {
    session.order(Order.Task.ECHO, round, 0);
    Rally rally = new Rally(System.nanoTime() + nanos, pauseNanos);
    Mono<Void> sent = session.peer().send("perf.out." + round, codec, rally.pings.asFlux());
    Flux<Payload> pongs =
        session.peer().receive("perf.back." + round, codec).doOnNext(rally::onPong);
    long begun = System.nanoTime();
    rally.serve(0, begun);
    session.await(Mono.when(sent, pongs.then()), Session.PATIENCE.plus(Duration.ofNanos(nanos)));
    return new Sample(rally.times.getTotalCount(), System.nanoTime() - begun, rally.times);
  }

  private final class Rally {

    private final Sinks.Many<Payload> pings =
        Sinks.unsafe().many().unicast().onBackpressureBuffer();
    private final Histogram times = Sample.histogram();
    private final long untilNanos;
    private final long pauseNanos;
    private long servedNanos;

    Rally(long untilNanos, long pauseNanos) {
      this.untilNanos = untilNanos;
      this.pauseNanos = pauseNanos;
    }

    void serve(long number, long now) {
      servedNanos = now;
      pings.tryEmitNext(payloads.numbered(number)).orThrow();
    }

    /** At once, or after a pause. */
    private void serveNext(long number, long now) {
      if (pauseNanos == 0) {
        serve(number, now);
      } else {
        session
            .sender()
            .schedule(() -> serve(number, System.nanoTime()), pauseNanos, TimeUnit.NANOSECONDS);
      }
    }

    void onPong(Payload pong) {
      reading.read(pong.buffer(), pong.offset());
      long now = System.nanoTime();
      Sample.record(times, now - servedNanos);
      if (now - untilNanos < 0) {
        serveNext(pong.number() + 1, now);
      } else {
        pings.tryEmitComplete().orThrow();
      }
    }
  }
}
