package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * The near side of a transport that maps a {@code Flux} of messages to a {@code Flux} of returning messages.
 * @param <T> message type of the transport
 */
final class ReactiveNear<T> implements Near {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Job job;
  private final LongFunction<T> message;
  private final Function<Flux<T>, Flux<Long>> exchange;
  private final Disposable connection;

  /**
   * @param message creates the message with a number
   * @param exchange sends all messages and returns the numbers of the returning ones, after reading them
   */
  ReactiveNear(
      Job job,
      LongFunction<T> message,
      Function<Flux<T>, Flux<Long>> exchange,
      Disposable connection) {
    this.job = job;
    this.message = message;
    this.exchange = exchange;
    this.connection = connection;
  }

  @Override
  public Sample round(long nanos) {
    return job.roundTrip() ? roundTrips(nanos) : oneWay(nanos);
  }

  private Sample oneWay(long nanos) {
    Produced produced = new Produced(System.nanoTime(), nanos);
    Long received = exchange.apply(produced.messages()).next().block(PATIENCE.plusNanos(nanos));
    if (received == null || received != produced.number) {
      throw new CommandFailure(received + " of " + produced.number + " messages arrived");
    }
    return new Sample(produced.number, System.nanoTime() - produced.begunNanos, Sample.histogram());
  }

  /** Sends messages until a time, then requests their count. */
  private final class Produced {

    private final long begunNanos;
    private final long nanos;
    private final int clockMask = Pace.clockMask(job.sizeBytes());
    private long number;

    Produced(long begunNanos, long nanos) {
      this.begunNanos = begunNanos;
      this.nanos = nanos;
    }

    Flux<T> messages() {
      return Flux.generate(sink -> {
        if ((number & clockMask) == 0 && System.nanoTime() - begunNanos >= nanos) {
          sink.next(message.apply(Arrivals.END));
          sink.complete();
        } else {
          sink.next(message.apply(number++));
        }
      });
    }
  }

  private Sample roundTrips(long nanos) {
    Rally rally = new Rally(nanos);
    rally.serve(0, System.nanoTime());
    Long last = exchange
        .apply(rally.pings.asFlux())
        .takeUntil(rally::onPong)
        .blockLast(PATIENCE.plusNanos(nanos));
    if (last == null || !rally.over) {
      throw new CommandFailure("the far process ended the stream after message " + last);
    }
    return new Sample(
        rally.times.getTotalCount(), System.nanoTime() - rally.begunNanos, rally.times);
  }

  /**
   * Each returning message sends the next one. The measured time begins with the first one, which completes the setup.
   */
  private final class Rally {

    private final Sinks.Many<T> pings = Sinks.unsafe().many().unicast().onBackpressureBuffer();
    private final Histogram times = Sample.histogram();
    private final long nanos;
    private long begunNanos;
    private long served;
    private long servedNanos;
    private volatile boolean over;

    Rally(long nanos) {
      this.nanos = nanos;
    }

    void serve(long number, long now) {
      served = number;
      servedNanos = now;
      pings.tryEmitNext(message.apply(number)).orThrow();
    }

    /** Returns whether this was the last message. */
    boolean onPong(long number) {
      long now = System.nanoTime();
      if (number != served) {
        throw new CommandFailure("message " + number + " returned instead of " + served);
      }
      if (number == 0) {
        begunNanos = now;
      } else {
        Sample.record(times, now - servedNanos);
      }
      over = number > 0 && now - begunNanos >= nanos;
      if (!over) {
        serve(number + 1, now);
      }
      return over;
    }
  }

  /** Keeps a stream without traffic open. */
  @Override
  public void rest(long nanos) {
    exchange.apply(Flux.never()).take(Duration.ofNanos(nanos)).blockLast(PATIENCE.plusNanos(nanos));
  }

  @Override
  public void close() {
    connection.dispose();
  }
}
