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
 * The near side of whatever takes a {@code Flux} of messages and gives one of what comes back.
 *
 * @param <T> a message as the transport takes it
 */
final class ReactiveNear<T> implements Near {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int sizeBytes;
  private final LongFunction<T> message;
  private final Function<Flux<T>, Flux<Long>> exchange;
  private final Disposable connection;

  /**
   * @param message makes the one with that number
   * @param exchange sends all of them and gives the numbers of those that come back, touched
   */
  ReactiveNear(
      int sizeBytes,
      LongFunction<T> message,
      Function<Flux<T>, Flux<Long>> exchange,
      Disposable connection) {
    this.sizeBytes = sizeBytes;
    this.message = message;
    this.exchange = exchange;
    this.connection = connection;
  }

  @Override
  public Sample oneWay(long nanos) {
    Produced produced = new Produced(System.nanoTime(), nanos);
    Long received = exchange.apply(produced.messages()).next().block(PATIENCE.plusNanos(nanos));
    if (received == null || received != produced.number) {
      throw new CommandFailure(received + " of " + produced.number + " messages arrived");
    }
    return new Sample(produced.number, System.nanoTime() - produced.begunNanos, Sample.histogram());
  }

  /** Messages until a time, then the question how many there were. */
  private final class Produced {

    private final long begunNanos;
    private final long nanos;
    private final int clockEvery = Pace.clockEvery(sizeBytes);
    private long number;
    private boolean over;

    Produced(long begunNanos, long nanos) {
      this.begunNanos = begunNanos;
      this.nanos = nanos;
    }

    Flux<T> messages() {
      // Never completes: the answer ends it.
      return Flux.<T>generate(sink -> sink.next(next()))
          .takeUntil(last -> over)
          .concatWith(Flux.never());
    }

    private T next() {
      over = number % clockEvery == 0 && System.nanoTime() - begunNanos >= nanos;
      return message.apply(over ? FarWork.END : number++);
    }
  }

  @Override
  public Sample roundTrips(long nanos) {
    Histogram times = Sample.histogram();
    Sinks.Many<T> pings = Sinks.unsafe().many().unicast().onBackpressureBuffer();
    long begun = System.nanoTime();
    long[] servedNanos = {begun};
    pings.tryEmitNext(message.apply(0)).orThrow();
    exchange
        .apply(pings.asFlux())
        .takeUntil(number -> {
          long now = System.nanoTime();
          Sample.record(times, now - servedNanos[0]);
          if (now - begun >= nanos) {
            return true;
          }
          servedNanos[0] = System.nanoTime();
          pings.tryEmitNext(message.apply(number + 1)).orThrow();
          return false;
        })
        .blockLast(PATIENCE.plusNanos(nanos));
    return new Sample(times.getTotalCount(), System.nanoTime() - begun, times);
  }

  @Override
  public void close() {
    connection.dispose();
  }
}
