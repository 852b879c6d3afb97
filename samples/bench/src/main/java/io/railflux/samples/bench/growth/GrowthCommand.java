package io.railflux.samples.bench.growth;

import io.railflux.samples.bench.compare.MarkdownTable;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures costs by size and number. */
@Command(
    name = "railflux growth",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {NearCommand.class, FarCommand.class, BareCrowdCommand.class},
    description =
        "Measures costs by message size and by number of streams, peers and slow subscribers.",
    footer = {
      "",
      "Each run of an experiment starts new processes: one with the measured node, and one "
          + "with its peers, one to 512 nodes with a thread each. Messages have 64 bytes unless "
          + "their size varies; receivers read all of their cache lines. Each point warms up for "
          + "half of --seconds, and nodes around a hub for at least 12 ms each. Ratios are "
          + "relative to the first point of a curve, which is measured again before each other "
          + "point."
    })
final class GrowthCommand implements Callable<Integer> {

  @Option(names = "--fabric", defaultValue = "shm", description = "shm or tcp; default shm.")
  private String fabric;

  @Option(
      names = "--experiments",
      split = ",",
      description = "Some of ${COMPLETION-CANDIDATES}; default all.",
      converter = Experiment.Reader.class)
  private Set<Experiment> experiments = EnumSet.allOf(Experiment.class);

  @Option(names = "--seconds", defaultValue = "2", description = "Duration of a point; default 2.")
  private double seconds;

  @Option(names = "--runs", defaultValue = "3", description = "Number of runs; default 3.")
  private int runs;

  @Mixin
  private Points points;

  @Option(names = "--json", paramLabel = "FILE", description = "Also writes the figures as JSON.")
  private Path json;

  @Option(
      names = "--plots",
      paramLabel = "DIRECTORY",
      description = "Also writes the curves as growth-<fabric>-<curve>.svg into it.")
  private Path plots;

  @Spec
  private CommandSpec spec;

  private final Curves curves = new Curves();

  @Override
  public Integer call() {
    check();
    PrintWriter out = spec.commandLine().getOut();
    Set<Experiment> left = EnumSet.copyOf(experiments);
    for (int run = 1; run <= runs; run++) {
      out.printf("run %d of %d%n", run, runs);
      for (Experiment experiment : EnumSet.copyOf(left)) {
        try {
          run(experiment, out);
        } catch (CommandFailure e) {
          left.remove(experiment);
          out.printf("no more %s: %s%n", experiment, e.getMessage());
        }
        // Written after each run, because later runs may fail.
        write();
      }
    }
    GrowthTable.print(curves.rows(), out);
    out.flush();
    return left.equals(experiments) ? 0 : 1;
  }

  private void check() {
    if (!Set.of("shm", "tcp").contains(fabric)) {
      throw wrong("--fabric must be shm or tcp, was " + fabric);
    }
    if (seconds < 0.1 || seconds > 600 || runs < 1 || runs > 100) {
      throw wrong(
          "--seconds must be 0.1 to 600 and --runs 1 to 100, were " + seconds + " and " + runs);
    }
    if (points.wrong() != null) {
      throw wrong(points.wrong());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void run(Experiment experiment, PrintWriter out) {
    for (String part : experiment.parts()) {
      List<String> arguments = Plan.arguments(experiment, part, fabric, seconds, points);
      NearProcess.run(experiment + " near", arguments, line -> handle(line, out));
    }
  }

  /** Lines that are no figures are printed for the user. */
  private void handle(String line, PrintWriter out) {
    if (!line.startsWith("{")) {
      out.println(line);
      out.flush();
      return;
    }
    Figure figure = Json.parse(line, Figure.class);
    curves.add(figure);
    out.printf(
        "%s at %,d: %s %s%n",
        figure.experiment(),
        figure.parameter(),
        MarkdownTable.number(figure.value()),
        figure.unit());
    out.flush();
  }

  private void write() {
    if (plots != null) {
      new Plots(plots, fabric).write(curves.rows());
    }
    if (json == null) {
      return;
    }
    try {
      Files.writeString(json, Json.line(curves.rows()) + "\n");
    } catch (IOException e) {
      throw CommandFailure.cannotWrite(json, e);
    }
  }
}
