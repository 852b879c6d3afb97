package io.railflux.samples.cli.demo;

import io.railflux.Peer;
import java.time.Duration;

/** The source of a demo: sends events to the stage and receives the result. */
final class SourceRun {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final EventSource source;

  SourceRun(EventSource source) {
    this.source = source;
  }

  /** Returns after the sink verified all events. */
  DemoResult run(Peer stage) {
    StatusReporter status = new StatusReporter(
        source.tally(), source.credits(), latest -> stage.request(Status.OF_SOURCE, latest));
    try {
      stage.send("events", new EventCodec(), source.events()).block();
    } finally {
      status.stop();
    }
    status.done();
    return DemoResult.parse(stage.request(DemoResult.ROUTE, true).block(PATIENCE));
  }
}
