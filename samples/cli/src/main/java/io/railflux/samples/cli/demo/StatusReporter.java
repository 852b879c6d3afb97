package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.ProcessFigures;
import java.io.PrintWriter;
import java.time.Duration;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Prints the state of a child as a line of JSON, a few times a second. */
final class StatusReporter {

  private static final Duration PERIOD = Duration.ofMillis(250);

  private final PrintWriter out;
  private final Tally tally;
  private final Credits credits;
  private final Disposable ticks;

  StatusReporter(PrintWriter out, Tally tally, Credits credits) {
    this.out = out;
    this.tally = tally;
    this.credits = credits;
    this.ticks = Flux.interval(PERIOD).onBackpressureDrop().subscribe(tick -> print(false));
  }

  void done() {
    ticks.dispose();
    print(true);
  }

  private synchronized void print(boolean done) {
    Tally.Total total = tally.total();
    out.println(Json.line(new Status(
        total.count(),
        total.payloadBytes(),
        total.checksum(),
        credits.open(),
        credits.stalls(),
        ProcessFigures.rssMiB(),
        done)));
    out.flush();
  }
}
