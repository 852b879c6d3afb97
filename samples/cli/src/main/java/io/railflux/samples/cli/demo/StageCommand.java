package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.samples.cli.shell.FabricOptions;
import io.railflux.samples.cli.shell.Lifeline;
import io.railflux.samples.cli.shell.Listening;
import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.stat.StatService;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The process in the middle: forwards events and aggregates the readings of each second. */
@Command(name = "demo-stage", hidden = true)
public final class StageCommand implements Callable<Integer> {

  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Mixin
  private FabricOptions fabric;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    Node node = fabric.network().node("demo-stage").start().block();
    Lifeline.watch(node);
    Peer sink = Network.connect(node, fabric.connect());
    node.respond(Status.OF_SOURCE, latest -> sink.request(Status.OF_SOURCE, latest));
    node.respond(DemoResult.ROUTE, asked -> sink.request(DemoResult.ROUTE, asked));
    StatService.serve(node).add(sink);
    String address = Network.bind(node, fabric.listen());
    Listening.announce(spec.commandLine().getOut(), address);
    Peer source = node.peers().filter(peer -> !StatService.isAsker(peer)).next().block();
    pass(source, sink);
    // The source requests the result before it disconnects.
    source.onClose().block();
    node.close().onErrorComplete().block(PATIENCE);
    return 0;
  }

  private static void pass(Peer source, Peer sink) {
    Tally tally = new Tally();
    Credits credits = new Credits();
    StatusReporter status =
        new StatusReporter(tally, credits, latest -> sink.request(Status.OF_STAGE, latest));
    // Two streams share the source. Its demand is the demand of both.
    Flux<Event> events = source.receive("events", new EventCodec()).publish().autoConnect(2);
    Flux<Event> passed = credits.watch(events.doOnNext(tally::add));
    try {
      Mono.when(
              sink.send("events", new EventCodec(), passed),
              sink.send("windows", Window.CODEC, windows(events)))
          .block();
    } finally {
      status.stop();
    }
    status.done();
  }

  private static Flux<Window> windows(Flux<Event> events) {
    return events
        .filter(event -> event.kind().isReading())
        .window(WINDOW)
        .concatMap(window -> window.collect(Aggregate::new, Aggregate::add))
        .concatMapIterable(Aggregate::windows);
  }
}
