package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.ProcessFigures;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reports the state of a process to the sink several times a second. */
final class StatusReporter {

  private static final Duration PERIOD = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Tally tally;
  private final Credits credits;
  private final Function<Status, Mono<Boolean>> report;
  private final Disposable ticks;

  /**
   * @param report sends a status, on any thread
   */
  StatusReporter(Tally tally, Credits credits, Function<Status, Mono<Boolean>> report) {
    this.tally = tally;
    this.credits = credits;
    this.report = report;
    // A later report replaces a lost one.
    this.ticks = Flux.interval(PERIOD)
        .onBackpressureDrop()
        .concatMap(tick -> report.apply(status(false)).onErrorComplete())
        .subscribe();
  }

  void stop() {
    ticks.dispose();
  }

  /** Reports that all events were sent and acknowledged. */
  void done() {
    stop();
    report.apply(status(true)).block(PATIENCE);
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
