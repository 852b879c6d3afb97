package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Interruption;
import io.railflux.samples.cli.shell.Listening;
import io.railflux.samples.cli.shell.ProcessFigures;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** One run: this process is the sink and observes the two other processes. */
final class Demo {

  private static final int OUTPUT_BUFFER_BYTES = 1 << 18;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(8);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final DemoPlan plan;
  private final PrintWriter terminal;
  private final boolean json;

  /**
   * @param json disables the live view
   */
  Demo(DemoPlan plan, PrintWriter terminal, boolean json) {
    this.plan = plan;
    this.terminal = terminal;
    this.json = json;
  }

  Summary run() {
    try (OutputStream output = open()) {
      Node node = plan.network().node("demo-sink").start().block();
      try {
        return run(node, new EventSink(plan, output));
      } finally {
        node.close().timeout(CLOSE_WITHIN).onErrorComplete().block();
      }
    } catch (IOException e) {
      throw CommandFailure.cannotWrite(plan.output(), e);
    }
  }

  private OutputStream open() throws IOException {
    return plan.output() == null
        ? OutputStream.nullOutputStream()
        : new BufferedOutputStream(Files.newOutputStream(plan.output()), OUTPUT_BUFFER_BYTES);
  }

  private Summary run(Node node, EventSink sink) {
    node.peers().next().subscribe(sink::receive);
    String address = node.bind(plan.network().ownAddress("demo-sink")).block();
    try (Stages stages = new Stages(plan, node, address)) {
      if (plan.remoteSource()) {
        Listening.announce(terminal, stages.address());
      }
      Footprint memory = new Footprint(plan.warmUpNanos());
      Runnable look =
          () -> memory.add(ProcessFigures.rssMiB(), sink.total().count(), System.nanoTime());
      Disposable looks =
          Flux.interval(LOOK_EVERY).onBackpressureDrop().subscribe(tick -> look.run());
      Watching view =
          json ? () -> {} : View.of(terminal, () -> Picture.Moment.of(stages, sink, memory));
      Interruption interruption = Interruption.reporting(() -> {
        view.close();
        PartialResult.ofSink(plan.fabric(), stages.source().status(), sink).print(terminal, json);
      });
      try {
        await(stages, sink, view);
      } finally {
        interruption.close();
        looks.dispose();
      }
      look.run();
      DemoResult result = result(stages.sourceDone(), sink, memory);
      stages.report(result, plan.remoteSource());
      return new Summary(result, stages.source().memory().text(), memory.text());
    }
  }

  private void await(Stages stages, EventSink sink, Watching view) {
    try {
      CompletableFuture.anyOf(sink.done(), stages.died()).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UncheckedIOException unwritten) {
        // The end of this process ends the other processes.
        throw CommandFailure.cannotWrite(plan.output(), unwritten.getCause());
      }
      throw stages.explained(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    } finally {
      view.close();
    }
    if (!sink.done().isDone()) {
      throw stages.explained(new CommandFailure("a process of the demo ended"));
    }
  }

  private DemoResult result(Status source, EventSink sink, Footprint memory) {
    Tally.Total received = sink.total();
    boolean same = source.checksum() == received.checksum()
        && source.payloadBytes() == received.payloadBytes();
    return new DemoResult(
        plan.fabric(),
        Math.round(sink.seconds() * 100) / 100.0,
        source.events(),
        received.count(),
        sink.sequence().lost(source.events()),
        sink.sequence().duplicated(),
        sink.sequence().reordered(),
        same,
        sink.delayMicros(50),
        sink.delayMicros(99),
        source.rssMiB(),
        memory.lastMiB(),
        source.stalls());
  }

  /** A resource whose close throws nothing and is idempotent. */
  interface Watching extends AutoCloseable {
    @Override
    void close();
  }
}
