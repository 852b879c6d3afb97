package io.railflux.samples.cli.demo;

import io.railflux.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** The first process of the demo: the host's telemetry and a file as one stream of events. */
@Command(name = "demo-source", hidden = true)
public final class SourceCommand implements Callable<Integer> {

  @Mixin
  private ChildOptions child;

  @Option(names = "--seconds")
  private Integer seconds;

  @Option(names = "--input")
  private Path input;

  @Option(names = "--flood")
  private boolean flood;

  @Spec
  private CommandSpec spec;

  private final Tally tally = new Tally();
  private final Credits credits = new Credits();
  private long number;

  @Override
  public Integer call() throws InterruptedException {
    Node node = child.start("demo-source");
    Flux<Event> events = credits.watch(unnumbered().map(this::numbered));
    var peer = child.connect(node);
    StatusReporter status = new StatusReporter(spec.commandLine().getOut(), tally, credits);
    peer.send("events", new EventCodec(), events).block();
    status.done();
    ChildOptions.rest();
    return 0;
  }

  private Flux<Event> unnumbered() {
    HostTelemetry host = new HostTelemetry();
    Flux<Event> readings = (flood ? host.flood() : host.live())
        .map(reading -> new Event(reading.kind(), 0, 0, reading.encoded()));
    if (seconds != null) {
      readings = readings.take(Duration.ofSeconds(seconds));
    }
    if (input == null) {
      return readings;
    }
    Sinks.Empty<Void> fileEnded = Sinks.empty();
    Flux<Event> file = FileChunks.of(input)
        .map(chunk -> new Event(Event.Kind.FILE, 0, 0, chunk))
        .doFinally(end -> fileEnded.tryEmitEmpty());
    Flux<Event> telemetry =
        seconds == null ? readings.takeUntilOther(fileEnded.asMono()) : readings;
    return Flux.merge(file, telemetry);
  }

  private Event numbered(Event event) {
    Event numbered = new Event(event.kind(), number++, System.nanoTime(), event.payload());
    tally.add(numbered);
    return numbered;
  }
}
