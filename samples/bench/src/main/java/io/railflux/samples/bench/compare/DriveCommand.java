package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Near;
import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Runs;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Lifeline;
import io.railflux.samples.cli.shell.ProcessFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The near side of a peer. Measures at the same pace as perf and prints the same fields as JSON. */
@Command(name = "drive", hidden = true)
final class DriveCommand implements Callable<Integer> {

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLION = 1e6;

  @Mixin
  private JobOptions options;

  @Option(names = "--connect", required = true)
  private String address;

  @Option(names = "--far", required = true)
  private long farPid;

  @Option(names = "--seconds", required = true)
  private int seconds;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Lifeline.watch(() -> {});
    Pace pace = new Pace(seconds);
    try (Near near = options.contender().connect(address, options.job())) {
      Map<String, Double> line = new LinkedHashMap<>();
      (options.kind() == Cell.Kind.IDLE ? idle(near, pace) : busy(near, pace))
          .forEach((measure, figure) -> line.put(measure.field(), figure));
      spec.commandLine().getOut().println(Json.line(line));
      spec.commandLine().getOut().flush();
    }
    return 0;
  }

  private Map<Cell.Measure, Double> busy(Near near, Pace pace) throws Exception {
    warmUp(near, pace);
    long before = cpuNanos();
    List<Sample> rounds = new ArrayList<>();
    for (int i = 0; i < pace.rounds(); i++) {
      rounds.add(near.round(pace.roundNanos()));
    }
    long cpuNanos = cpuNanos() - before;
    long count = rounds.stream().mapToLong(Sample::count).sum();
    Map<Cell.Measure, Double> figures = percentiles(rounds);
    figures.put(
        Cell.Measure.RATE, Runs.median(rounds.stream().map(Sample::perSecond).toList()));
    figures.put(Cell.Measure.CPU, cpuNanos / NANOS_PER_SECOND / count * MILLION);
    return figures;
  }

  /** Returns the median as measured, and higher percentiles without coordinated omission. */
  private static Map<Cell.Measure, Double> percentiles(List<Sample> rounds) {
    Histogram times = Sample.histogram();
    rounds.forEach(sample -> times.add(sample.times()));
    Map<Cell.Measure, Double> figures = new EnumMap<>(Cell.Measure.class);
    if (times.getTotalCount() > 0) {
      Histogram due = Sample.dueEach(times);
      for (Cell.Measure measure : Cell.Measure.PERCENTILES) {
        Histogram from = measure == Cell.Measure.P50 ? times : due;
        figures.put(measure, from.getValueAtPercentile(measure.percentile()) / NANOS_PER_MICRO);
      }
    }
    return figures;
  }

  private static void warmUp(Near near, Pace pace) throws Exception {
    for (int round = 0; round < Pace.WARM_UPS; round++) {
      near.warmUp(pace.warmUpNanos(), Pace.warmUpPauseNanos(round));
    }
  }

  /** Measures the idle CPU time, after work that compiles the code and a pause for the compilers. */
  private Map<Cell.Measure, Double> idle(Near near, Pace pace) throws Exception {
    warmUp(near, pace);
    near.rest(Pace.SETTLE_NANOS);
    long begun = System.nanoTime();
    long before = cpuNanos();
    near.rest(seconds * 1_000_000_000L);
    double percent = 100.0 * (cpuNanos() - before) / (System.nanoTime() - begun);
    return Map.of(Cell.Measure.IDLE_CPU, percent);
  }

  /** Returns the CPU time of both processes so far. */
  private long cpuNanos() {
    long far = ProcessHandle.of(farPid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toNanos)
        .orElseThrow();
    return ProcessFigures.cpuNanos() + far;
  }
}
