package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.ProcessFigures;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tells the state of a process to the sink, a few times a second. */
final class StatusReporter {

  private static final Duration PERIOD = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Tally tally;
  private final Credits credits;
  private final Function<Status, Mono<Boolean>> tell;
  private final Disposable ticks;

  /** @param tell hands a status over, on any thread */
  StatusReporter(Tally tally, Credits credits, Function<Status, Mono<Boolean>> tell) {
    this.tally = tally;
    this.credits = credits;
    this.tell = tell;
    // One that is lost is followed by another.
    this.ticks = Flux.interval(PERIOD)
        .onBackpressureDrop()
        .concatMap(tick -> tell.apply(status(false)).onErrorComplete())
        .subscribe();
  }

  void stop() {
    ticks.dispose();
  }

  /** Everything was handed over and acknowledged. */
  void done() {
    stop();
    tell.apply(status(true)).block(PATIENCE);
  }

  private Status status(boolean done) {
    Tally.Total total = tally.total();
    return new Status(
        total.count(),
        total.payloadBytes(),
        total.checksum(),
        credits.open(),
        credits.stalls(),
        ProcessFigures.rssMiB(),
        done);
  }
}
