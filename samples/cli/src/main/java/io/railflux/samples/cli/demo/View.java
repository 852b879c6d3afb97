package io.railflux.samples.cli.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Rates, credits, queues and delays while the demo runs, redrawn in place. */
final class View implements Demo.Watching {

  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final String CLEAR_LINE = "\u001b[2K";

  private final PrintWriter out;
  private final Stages stages;
  private final EventSink sink;
  private final Disposable ticks;
  private long lastNanos = System.nanoTime();
  private long lastSent;
  private long lastReceived;
  private int drawn;

  private View(PrintWriter out, Stages stages, EventSink sink) {
    this.out = out;
    this.stages = stages;
    this.sink = sink;
    this.ticks = Flux.interval(PERIOD).onBackpressureDrop().subscribe(tick -> draw());
  }

  /** Does nothing unless standard output is a terminal. */
  static Demo.Watching of(PrintWriter out, Stages stages, EventSink sink) {
    if (isTerminal()) {
      return new View(out, stages, sink);
    }
    return () -> {};
  }

  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  private synchronized void draw() {
    long now = System.nanoTime();
    double seconds = (now - lastNanos) / 1e9;
    Status source = stages.source();
    Status stage = stages.stage();
    long received = sink.total().count();
    List<String> lines = List.of(
        String.format(
            "source  %,12.0f events/s   credits %,6d   stalls %,8d   RSS %4.0f MiB",
            (source.events() - lastSent) / seconds,
            source.credits(),
            source.stalls(),
            source.rssMiB()),
        String.format(
            "stage   %,12d queued     credits %,6d   stalls %,8d   RSS %4.0f MiB",
            Math.max(0, source.events() - stage.events()),
            stage.credits(),
            stage.stalls(),
            stage.rssMiB()),
        String.format(
            "sink    %,12.0f events/s   queued  %,6d   p50 %,.0f µs   p99 %,.0f µs",
            (received - lastReceived) / seconds,
            Math.max(0, stage.events() - received),
            sink.delayMicros(50),
            sink.delayMicros(99)),
        "host    " + host(sink.windows()));
    if (drawn > 0) {
      out.print("\u001b[" + drawn + "A");
    }
    lines.forEach(line -> out.println(CLEAR_LINE + line));
    out.flush();
    drawn = lines.size();
    lastNanos = now;
    lastSent = source.events();
    lastReceived = received;
  }

  private static String host(Map<Event.Kind, Window> windows) {
    StringBuilder text = new StringBuilder();
    windows.forEach((kind, window) -> text.append(
        switch (kind) {
          case CPU, MEMORY ->
            String.format(
                "%s %.0f %%  ", kind.name().toLowerCase(java.util.Locale.ROOT), window.mean());
          default ->
            String.format(
                "%s max %,.0f MiB  ",
                kind.name().toLowerCase(java.util.Locale.ROOT), window.max() / (1 << 20));
        }));
    return text.toString();
  }

  @Override
  public void close() {
    ticks.dispose();
    draw();
  }
}
