package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Listening;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tries rails of this machine's own making. */
@Command(
    name = "netlab",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measures several rails between two hosts made of network namespaces; needs root.",
    footer = {
      "",
      "two-rails    1 MiB messages over both rails by those over one",
      "four-rails   the same of four",
      "unequal      300 and 30 Mbit/s by the sum of each alone",
      "paths        as many connections as the node finds worth it by one, where each",
      "             has 50 Mbit/s",
      "medium       16 to 64 KiB: the default striping by the best fixed one",
      "request      median of a request of 1 MiB over two rails by that over one",
      "rate-drop    seconds until the rest is used after a rail fell to a tenth",
      "rail-death   seconds without a message after a cable was pulled",
      "rail-return  seconds until a cable carries its share again",
      "partition    seconds until the first message after 10 s without any cable",
      "flap         messages lost while cables are pulled and plugged at random for",
      "             --seconds, over TLS; the others seal frames",
      "soak         rails taken for lost while both carry all they can, both ways",
      "overhead     rate of 64 B over tcp by that of the checkout --baseline, in turn;",
      "             needs no root"
    })
public final class NetlabCommand implements Callable<Integer> {

  private static final int READY_SECONDS = 30;

  @Parameters(
      paramLabel = "EXPERIMENT",
      description = "One of ${COMPLETION-CANDIDATES}.",
      converter = Experiment.Reader.class,
      completionCandidates = Names.class)
  private Experiment experiment;

  @Option(names = "--seconds", defaultValue = "3", description = "Of a measurement; default 3.")
  private double seconds;

  @Option(names = "--runs", defaultValue = "5", description = "Counted ones; default 5.")
  private int runs;

  @Option(
      names = "--baseline",
      paramLabel = "DIRECTORY",
      description = "Of overhead: a checkout of the version to compare with.")
  private Path baseline;

  @Option(
      names = "--json",
      description = "Print the result only, as JSON; the rest goes to the error output.")
  private boolean json;

  @Spec
  private CommandSpec spec;

  /** For picocli. */
  public NetlabCommand() {}

  /** Of all experiments, for the help. */
  static final class Names extends ArrayList<String> {

    private static final long serialVersionUID = 1;

    Names() {
      for (Experiment experiment : Experiment.values()) {
        add(experiment.toString());
      }
    }
  }

  @Override
  public Integer call() {
    if (seconds < 0.5 || seconds > 86_400 || runs < 1 || runs > 100) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds must be 0.5 to 86400 and --runs 1 to 100, were " + seconds + " and " + runs);
    }
    if ((experiment == Experiment.OVERHEAD) != (baseline != null)) {
      throw new ParameterException(
          spec.commandLine(), "--baseline DIRECTORY belongs to overhead, and overhead needs it");
    }
    if (experiment == Experiment.OVERHEAD) {
      return report(new Overhead(baseline.toAbsolutePath(), this::told).run(seconds, runs));
    }
    try (Keys keys = Keys.create(experiment == Experiment.FLAP, experiment.rails());
        Hosts hosts = Hosts.create(experiment.rails(), experiment.megabits())) {
      // For who interrupts it.
      Runtime.getRuntime().addShutdownHook(new Thread(hosts::close));
      Runtime.getRuntime().addShutdownHook(new Thread(keys::close));
      return run(hosts, keys.arguments());
    }
  }

  private int run(Hosts hosts, List<String> secrecy) {
    Plan.Repetition repetition = new Plan.Repetition(seconds, runs, secrecy);
    CompletableFuture<String> ready = new CompletableFuture<>();
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    try (ChildProcess far = ChildProcess.startOn(
            Hosts.on(hosts.far()),
            "far host's",
            Plan.arguments("netlab-far", experiment, hosts, repetition),
            line -> announced(line, ready));
        ChildProcess near = near(hosts, far, ready, repetition, outcome)) {
      far.onEnd(ended -> outcome.completeExceptionally(new CommandFailure(ended.obituary())));
      near.onEnd(ended -> outcome.completeExceptionally(new CommandFailure(ended.obituary())));
      return report(result(outcome));
    }
  }

  private ChildProcess near(
      Hosts hosts,
      ChildProcess far,
      CompletableFuture<String> ready,
      Plan.Repetition repetition,
      CompletableFuture<Outcome> outcome) {
    far.onEnd(ended -> ready.completeExceptionally(new CommandFailure(ended.obituary())));
    Listening.address(result(ready.orTimeout(READY_SECONDS, TimeUnit.SECONDS)));
    return ChildProcess.startOn(
        Hosts.on(hosts.near()),
        "near host's",
        Plan.arguments("netlab-near", experiment, hosts, repetition),
        line -> told(line, outcome));
  }

  /** Native libraries may say something before. */
  private static void announced(String line, CompletableFuture<String> ready) {
    if (Listening.isAnnouncement(line)) {
      ready.complete(line);
    }
  }

  private void told(String line, CompletableFuture<Outcome> outcome) {
    if (line.startsWith("{")) {
      outcome.complete(Json.parse(line, Outcome.class));
    } else {
      told(line);
    }
  }

  private void told(String line) {
    if (json) {
      spec.commandLine().getErr().println(line);
    } else {
      print(line);
    }
  }

  private int report(Outcome outcome) {
    print(json ? Json.line(outcome) : outcome.toString());
    return outcome.isClean() ? 0 : 1;
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private static <T> T result(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new CommandFailure(CommandFailure.line(e.getCause()), e);
    }
  }
}
