package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Peer;
import io.railflux.samples.cli.measure.Work;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Railflux and other libraries in alternation. */
@Command(
    name = "railflux compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {ServeCommand.class, DriveCommand.class},
    description = "Measures Railflux, other libraries and the bare medium in alternation.",
    footer = {
      "",
      "Every figure comes from a new pair of processes. Railflux runs beside each peer, "
          + "first in one run and second in the next. A pair warms up for as long as it measures, "
          + "at most 20 s. Ratios divide the figure of Railflux by that of the peer beside it. A "
          + "peer that fails is skipped from then on, and the command ends with code 1. Workloads "
          + "with checksums have names such as checksum-one-way. A probe measures the round trip "
          + "of 64 B over bare rings before, between and after both sides. If the longest exceeds "
          + "1.5 times the shortest, both sides are measured again, up to three times in all; the "
          + "third result counts. A wake-up is a round trip that begins when both sides have "
          + "slept for 2 ms. The sender wakes up by itself or, if relayed, by a thread of the "
          + "application."
    })
final class CompareCommand implements Callable<Integer> {

  private static final long PROBE_NANOS = 500_000_000;

  @Option(names = "--fabric", defaultValue = "shm", description = "shm or tcp; default shm.")
  private String fabric;

  @Option(
      names = "--peers",
      split = ",",
      description = "Some of raw, aeron, jucx, netty, rsocket, grpc; default all.")
  private Set<String> peers;

  @Option(
      names = "--workloads",
      split = ",",
      description = "Some of ${COMPLETION-CANDIDATES}; default all.",
      converter = Cell.KindReader.class)
  private Set<Cell.Kind> workloads;

  @Option(
      names = "--work",
      defaultValue = "touch",
      converter = Work.Reader.class,
      description =
          "Work of all receivers per message: touch reads a word of each cache line, checksum verifies "
              + "all of it; default touch.")
  private Work work;

  @Option(names = "--seconds", defaultValue = "5", description = "Duration of a run; default 5.")
  private int seconds;

  @Option(names = "--runs", defaultValue = "3", description = "Number of runs; default 3.")
  private int runs;

  @Option(names = "--json", paramLabel = "FILE", description = "Also writes the figures as JSON.")
  private Path json;

  @Option(
      names = "--plots",
      paramLabel = "DIRECTORY",
      description = "Also writes <fabric>-one-way.svg and <fabric>-round-trip-<bytes>.svg into it.")
  private Path plots;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    check();
    PrintWriter out = spec.commandLine().getOut();
    Comparison comparison = new Comparison(
        cells(), present(out), new Pair(fabric, seconds), new Probe(PROBE_NANOS), out);
    try {
      for (int run = 1; run <= runs; run++) {
        out.printf("run %d of %d%n", run, runs);
        comparison.run();
        // Written after each run, because later runs may fail.
        write(comparison.rows());
      }
    } finally {
      MarkdownTable.print(comparison.rows(), out);
      out.flush();
    }
    return comparison.leftOut() ? 1 : 0;
  }

  private void check() {
    if (!Set.of("shm", "tcp").contains(fabric)) {
      throw wrong("--fabric must be shm or tcp, was " + fabric);
    }
    Set<String> known = Arrays.stream(Peer.values()).map(Peer::choice).collect(Collectors.toSet());
    if (peers != null && !known.containsAll(peers)) {
      throw wrong("--peers must be some of " + String.join(",", new TreeSet<>(known)) + ", was "
          + String.join(",", peers));
    }
    if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent())) {
      throw wrong("--json " + json + " names a directory that does not exist");
    }
    if (seconds < 1 || seconds > 600 || runs < 1 || runs > 100) {
      throw wrong(
          "--seconds must be 1 to 600 and --runs 1 to 100, were " + seconds + " and " + runs);
    }
    if (cells().stream()
        .noneMatch(
            cell -> chosen().stream().anyMatch(peer -> peer.does(cell.kind().exchange())))) {
      throw wrong("none of these --peers supports any of these --workloads over " + fabric);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private List<Peer> chosen() {
    return Arrays.stream(Peer.values())
        .filter(peer -> peer.comparesWith(fabric))
        .filter(peer -> peers == null || peers.contains(peer.choice()))
        .toList();
  }

  /** Returns the selected peers. A peer that was selected by name must be available. */
  private List<Peer> present(PrintWriter out) {
    List<Peer> present = new ArrayList<>();
    for (Peer peer : chosen()) {
      String absence = peer.absence().orElse("");
      if (absence.isEmpty()) {
        present.add(peer);
      } else if (peers == null) {
        out.printf("no %s: %s%n", peer, absence);
      } else {
        throw new CommandFailure("no " + peer + ": " + absence);
      }
    }
    return present;
  }

  private List<Cell> cells() {
    return Cell.all(work).stream()
        .filter(cell -> workloads == null || workloads.contains(cell.kind()))
        .toList();
  }

  private void write(List<Row> rows) {
    if (plots != null) {
      new Plots(plots, fabric).write(cells(), rows);
    }
    if (json == null) {
      return;
    }
    try {
      Files.writeString(json, Json.line(rows) + "\n");
    } catch (IOException e) {
      throw CommandFailure.cannotWrite(json, e);
    }
  }
}
