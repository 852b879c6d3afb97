package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.Peer;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The process in the middle: passes events on and sums up the readings of each second. */
@Command(name = "demo-stage", hidden = true)
public final class StageCommand implements Callable<Integer> {

  private static final Duration WINDOW = Duration.ofSeconds(1);

  @Mixin
  private ChildOptions child;

  @Option(names = "--listen", required = true)
  private String listen;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Node node = child.start("demo-stage");
    Peer sink = child.connect(node);
    node.bind("shm:" + listen).block();
    Tally tally = new Tally();
    Credits credits = new Credits();
    StatusReporter status = new StatusReporter(spec.commandLine().getOut(), tally, credits);
    node.peers()
        .next()
        .flatMap(source -> {
          // Shared by two streams: what both ask for is asked of the source.
          Flux<Event> events =
              source.receive("events", new EventCodec()).publish().autoConnect(2);
          Flux<Event> passed = credits.watch(events.doOnNext(tally::add));
          return Mono.when(
              sink.send("events", new EventCodec(), passed),
              sink.send("windows", Window.CODEC, windows(events)));
        })
        .block();
    status.done();
    ChildOptions.rest();
    return 0;
  }

  private static Flux<Window> windows(Flux<Event> events) {
    return events
        .filter(event -> event.kind().isReading())
        .window(WINDOW)
        .concatMap(window -> window.collect(Aggregate::new, Aggregate::add))
        .concatMapIterable(Aggregate::windows);
  }
}
