package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Fabrics;
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

/** One run: this process is the sink and watches the two others. */
final class Demo {

  private static final int OUTPUT_BUFFER_BYTES = 1 << 18;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(8);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final DemoPlan plan;
  private final PrintWriter terminal;

  /** @param terminal for the live view, null for none */
  Demo(DemoPlan plan, PrintWriter terminal) {
    this.plan = plan;
    this.terminal = terminal;
  }

  Summary run() {
    try (OutputStream output = open()) {
      Railflux configuration =
          Railflux.create().name("demo-sink").fabrics(Fabrics.require(plan.fabric()));
      Node node = plan.secrecy().apply(configuration).start().block();
      try {
        return run(node, new EventSink(plan.slowSink(), output));
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
    node.bind("shm:" + DemoPlan.sinkName()).block();
    try (Stages stages = new Stages(plan)) {
      long begun = System.nanoTime();
      Footprint memory = new Footprint(plan.warmUpNanos());
      Runnable look =
          () -> memory.add(ProcessFigures.rssMiB(), sink.total().count(), System.nanoTime());
      Disposable looks =
          Flux.interval(LOOK_EVERY).onBackpressureDrop().subscribe(tick -> look.run());
      try {
        await(stages, sink, memory);
      } finally {
        looks.dispose();
      }
      look.run();
      Status source = stages.sourceDone();
      DemoResult result = result(source, sink, memory, (System.nanoTime() - begun) / 1e9);
      return new Summary(result, stages.sourceMemory(), memory);
    }
  }

  private void await(Stages stages, EventSink sink, Footprint memory) {
    Watching view = terminal == null
        ? () -> {}
        : View.of(terminal, () -> Picture.Moment.of(stages, sink, memory));
    try {
      CompletableFuture.anyOf(sink.done(), stages.died()).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UncheckedIOException unwritten) {
        // The other processes end because of this one.
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

  private DemoResult result(Status source, EventSink sink, Footprint memory, double seconds) {
    Tally.Total received = sink.total();
    boolean same = source.checksum() == received.checksum()
        && source.payloadBytes() == received.payloadBytes();
    return new DemoResult(
        plan.fabric(),
        Math.round(seconds * 100) / 100.0,
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

  /** Closes without exceptions. */
  interface Watching extends AutoCloseable {
    @Override
    void close();
  }
}
