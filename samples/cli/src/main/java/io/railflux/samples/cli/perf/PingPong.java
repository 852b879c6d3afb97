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

/**
 * One stream per direction. Each returning message sends the next one, immediately or after a pause. The measured time
 * begins when the first message has returned.
 */
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
    Rally rally = new Rally(nanos, pauseNanos);
    Mono<Void> sent = session.peer().send("perf.out." + round, codec, rally.pings.asFlux());
    Flux<Payload> pongs =
        session.peer().receive("perf.back." + round, codec).doOnNext(rally::onPong);
    rally.serve(0, System.nanoTime());
    session.await(Mono.when(sent, pongs.then()), Session.PATIENCE.plus(Duration.ofNanos(nanos)));
    return new Sample(
        rally.times.getTotalCount(), System.nanoTime() - rally.begunNanos, rally.times);
  }

  private final class Rally {

    private final Sinks.Many<Payload> pings =
        Sinks.unsafe().many().unicast().onBackpressureBuffer();
    private final Histogram times = Sample.histogram();
    private final long nanos;
    private final long pauseNanos;
    private long begunNanos;
    private long servedNanos;

    Rally(long nanos, long pauseNanos) {
      this.nanos = nanos;
      this.pauseNanos = pauseNanos;
    }

    void serve(long number, long now) {
      servedNanos = now;
      pings.tryEmitNext(payloads.numbered(number)).orThrow();
    }

    /** Sends the next message, immediately or after a pause. */
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
      boolean first = pong.number() == 0;
      if (first) {
        begunNanos = now;
      } else {
        Sample.record(times, now - servedNanos);
      }
      if (first || now - begunNanos < nanos) {
        serveNext(pong.number() + 1, now);
      } else {
        pings.tryEmitComplete().orThrow();
      }
    }
  }
}
