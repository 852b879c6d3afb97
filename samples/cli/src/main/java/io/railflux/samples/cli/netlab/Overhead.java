package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.measure.Runs;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * FT7: the cost of multi-rail support on a single rail. Alternates {@code samples/railflux perf} of this checkout and
 * of an older one, and divides consecutive results.
 */
final class Overhead {

  /** The compared figures. */
  enum Figure {
    RATE("throughput", 64, "messagesPerSecond"),
    BANDWIDTH("bandwidth", 1 << 20, "messagesPerSecond"),
    LATENCY("latency", 64, "p50Micros");

    private final String workload;
    private final int sizeBytes;
    private final String field;

    Figure(String workload, int sizeBytes, String field) {
      this.workload = workload;
      this.sizeBytes = sizeBytes;
      this.field = field;
    }

    @Override
    public String toString() {
      return workload + " of " + sizeBytes + " B";
    }
  }

  private static final Path LAUNCHER = Path.of("samples", "railflux");

  private final Path own;
  private final Path older;
  private final Consumer<String> progress;

  /**
   * @param older another checkout
   * @param progress receives lines for the user
   */
  Overhead(Path older, Consumer<String> progress) {
    this.own = Path.of(System.getProperty("user.dir"));
    this.older = older;
    this.progress = progress;
  }

  /** Returns the ratio of the rates and reports the other ratios as progress. */
  Outcome run(double seconds, int runs) {
    for (Path checkout : List.of(own, older)) {
      if (!Files.isExecutable(checkout.resolve(LAUNCHER))) {
        throw new CommandFailure(checkout.resolve(LAUNCHER)
            + " does not exist: run this in a checkout, and name an older one with --baseline");
      }
    }
    Map<Figure, List<Double>> ratios = new EnumMap<>(Figure.class);
    for (int run = 1; run <= runs; run++) {
      for (Figure figure : Figure.values()) {
        boolean ownFirst = run % 2 == 1;
        double first = measure(ownFirst ? own : older, figure, seconds);
        double second = measure(ownFirst ? older : own, figure, seconds);
        double now = ownFirst ? first : second;
        double before = ownFirst ? second : first;
        ratios.computeIfAbsent(figure, f -> new ArrayList<>()).add(now / before);
        progress.accept("run %d of %d: %s %.4g by %.4g: %.3f"
            .formatted(run, runs, figure, now, before, now / before));
      }
    }
    ratios.forEach((figure, of) ->
        progress.accept("%s: median of the ratios %.3f".formatted(figure, Runs.median(of))));
    return Outcome.of(
        Experiment.OVERHEAD, "of the older one", ratios.get(Figure.RATE), Order.Tally.NONE);
  }

  /** Returns the arguments of {@code perf}, which measures whole seconds. */
  static List<String> arguments(Figure figure, double seconds) {
    return List.of(
        "--fabric",
        "tcp",
        "--workload",
        figure.workload,
        "--size",
        String.valueOf(figure.sizeBytes),
        "--seconds",
        String.valueOf((int) Math.ceil(seconds)),
        "--json");
  }

  private static double measure(Path checkout, Figure figure, double seconds) {
    List<String> command = new ArrayList<>(List.of(checkout.resolve(LAUNCHER).toString(), "perf"));
    command.addAll(arguments(figure, seconds));
    try {
      Process process = new ProcessBuilder(command)
          .directory(checkout.toFile())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new CommandFailure(
            "this command failed; run it to see the cause: " + String.join(" ", command));
      }
      Map<?, ?> result =
          Json.parse(output.strip().lines().reduce((a, b) -> b).orElse(""), Map.class);
      return ((Number) result.get(figure.field)).doubleValue();
    } catch (IOException e) {
      throw new CommandFailure("cannot run " + command.get(0) + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }
}
