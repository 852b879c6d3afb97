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

/** Measures Railflux beside others. */
@Command(
    name = "railflux compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {ServeCommand.class, DriveCommand.class},
    description = "Measures Railflux, other libraries and the bare medium in turn.",
    footer = {
      "",
      "Every figure comes from a fresh pair of processes, that of Railflux anew beside each peer's, first "
          + "in one run and second in the next. A pair warms up as long as it measures, at most 20 s. Ratios are "
          + "Railflux' figure by that of the peer measured right beside it. If a peer fails it is left out from "
          + "there on, and the command ends with 1. Figures with checksums are called so: checksum-one-way. The probe "
          + "is a round trip of 64 B over bare rings before, between and after the two: what the machine could "
          + "do. If the longest is more than 1.5 of the shortest, both are measured again, up to three times in "
          + "all; the third time counts as it is. A wake-up is a round trip after 2 ms in which both sides fell "
          + "asleep; who sends wakes up by itself or, where it is relayed, is woken by an application's thread."
    })
final class CompareCommand implements Callable<Integer> {

  private static final long PROBE_NANOS = 500_000_000;

  @Option(names = "--fabric", defaultValue = "shm", description = "shm or tcp; default shm.")
  private String fabric;

  @Option(
      names = "--peers",
      split = ",",
      description = "Which of raw, aeron, jucx, netty, rsocket, grpc; default all.")
  private Set<String> peers;

  @Option(
      names = "--workloads",
      split = ",",
      description = "Which of ${COMPLETION-CANDIDATES}; default all.",
      converter = Cell.KindReader.class)
  private Set<Cell.Kind> workloads;

  @Option(
      names = "--work",
      defaultValue = "touch",
      converter = Work.Reader.class,
      description =
          "Of who receives a message, of all peers: touch a word of each cache line, or checksum all "
              + "of it, which also checks it; default touch.")
  private Work work;

  @Option(names = "--seconds", defaultValue = "5", description = "Measured a run; default 5.")
  private int seconds;

  @Option(names = "--runs", defaultValue = "3", description = "Of everything; default 3.")
  private int runs;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON, too.")
  private Path json;

  @Option(
      names = "--plots",
      paramLabel = "DIRECTORY",
      description = "Write <fabric>-one-way.svg and <fabric>-round-trip-<bytes>.svg into it, too.")
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
        // Now: what follows may take long, and fail.
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
      throw wrong("--json " + json + " is in no directory that there is");
    }
    if (seconds < 1 || seconds > 600 || runs < 1 || runs > 100) {
      throw wrong(
          "--seconds must be 1 to 600 and --runs 1 to 100, were " + seconds + " and " + runs);
    }
    if (cells().stream()
        .noneMatch(
            cell -> chosen().stream().anyMatch(peer -> peer.does(cell.kind().exchange())))) {
      throw wrong("none of these --peers does any of these --workloads over " + fabric);
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

  /** Of those chosen; one that was asked for by name has to be here. */
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
