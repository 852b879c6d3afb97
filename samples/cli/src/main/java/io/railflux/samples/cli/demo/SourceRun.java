package io.railflux.samples.cli.demo;

import io.railflux.Peer;
import java.time.Duration;

/** The source's side of a demo: sends its events to the stage and hears what came of them. */
final class SourceRun {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final EventSource source;

  SourceRun(EventSource source) {
    this.source = source;
  }

  /** Returns when all was sent and verified by the sink. */
  DemoResult run(Peer stage) {
    StatusReporter status = new StatusReporter(
        source.tally(), source.credits(), told -> stage.request(Status.OF_SOURCE, told));
    try {
      stage.send("events", new EventCodec(), source.events()).block();
    } finally {
      status.stop();
    }
    status.done();
    return DemoResult.parse(stage.request(DemoResult.ROUTE, true).block(PATIENCE));
  }
}
