package io.railflux.samples.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.railflux.lab.SimulationReport;
import io.railflux.lab.Simulator;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Interruption;
import io.railflux.samples.cli.shell.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs whole sessions in a simulated network with faults of every kind. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Runs sessions in a simulated network with faults and checks every guarantee.",
    footer = {"", "Equal seeds produce equal runs, message for message."})
final class Simulate implements Callable<Integer> {

  @Option(names = "--seeds", paramLabel = "N", description = "Number of runs; default 1000.")
  private Integer seeds;

  @Option(names = "--first", paramLabel = "SEED", description = "Seed of the first run; default 1.")
  private Long first;

  @Option(names = "--seed", paramLabel = "SEED", description = "Runs this seed only.")
  private Long seed;

  @Option(names = "--trace", description = "Prints every event; needs --seed.")
  private boolean trace;

  @Option(names = "--json", description = "Prints one line of JSON.")
  private boolean json;

  @Spec
  private CommandSpec spec;

  /** Totals of the completed seeds. A signal may end the command at any time. */
  private volatile SimulationReport running = new SimulationReport(0, 0, 0, Map.of(), 0, 0, 0, 0);

  /** The JSON output of a run that a signal ended. */
  record Interrupted(boolean interrupted, @JsonUnwrapped Result soFar) {}

  /** The JSON output. */
  record Result(
      int seeds,
      int violations,
      Long firstFailingSeed,
      Map<String, Long> faults,
      long replays,
      long duplicatesDropped,
      double virtualSeconds,
      double wallSeconds) {

    static Result of(SimulationReport report) {
      return new Result(
          report.seeds(),
          report.violations(),
          report.violations() == 0 ? null : report.firstFailingSeed(),
          new TreeMap<>(report.faults()),
          report.replays(),
          report.duplicatesDropped(),
          report.virtualSeconds(),
          report.wallSeconds());
    }
  }

  @Override
  @SuppressWarnings("try") // The resource is only closed.
  public Integer call() {
    check();
    PrintWriter out = spec.commandLine().getOut();
    SimulationReport report;
    try (Interruption interruption = Interruption.reporting(() -> printInterrupted(out))) {
      report = run(out);
    }
    Result result = Result.of(report);
    if (json) {
      out.println(Json.line(result));
    } else {
      print(out, result);
    }
    out.flush();
    if (!report.passed()) {
      throw new CommandFailure(result.violations() + " of " + result.seeds()
          + " seeds failed; show the first with: simulate --seed " + result.firstFailingSeed()
          + " --trace");
    }
    return 0;
  }

  private void printInterrupted(PrintWriter out) {
    Result soFar = Result.of(running);
    if (json) {
      out.println(Json.line(new Interrupted(true, soFar)));
    } else {
      out.println("interrupted; so far:");
      print(out, soFar);
    }
    out.flush();
  }

  private SimulationReport run(PrintWriter out) {
    // Progress lines would disturb a reader of the JSON output.
    Consumer<String> lines = json && !trace ? line -> {} : out::println;
    if (seed == null) {
      return Simulator.run(
          first == null ? 1 : first, seeds == null ? 1000 : seeds, lines, this::keep);
    }
    return trace ? Simulator.trace(seed, lines) : Simulator.run(seed, 1, lines);
  }

  private void keep(SimulationReport soFar) {
    running = soFar;
  }

  private void check() {
    if (seeds != null && seeds < 1) {
      throw wrong("--seeds must be at least 1, was " + seeds);
    }
    if (seed != null && (seeds != null || first != null)) {
      throw wrong("--seed excludes --seeds and --first");
    }
    if (trace && seed == null) {
      throw wrong("--trace needs --seed");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static void print(PrintWriter out, Result result) {
    out.printf(
        "%,d seeds, %d violations, %.1f simulated seconds in %.1f%n",
        result.seeds(), result.violations(), result.virtualSeconds(), result.wallSeconds());
    out.printf(
        "%,d frames replayed, %,d duplicates dropped%n",
        result.replays(), result.duplicatesDropped());
    result.faults().forEach((kind, count) -> out.printf("  %-28s %,d%n", kind, count));
  }
}
