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

/** Measures rails between network namespaces of this machine. */
@Command(
    name = "netlab",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures several rails between two network namespaces; needs root.",
    footer = {
      "",
      "two-rails    rate of 1 MiB messages over both rails, relative to one",
      "four-rails   the same over four rails",
      "unequal      rate over 300 and 30 Mbit/s, relative to the sum of both",
      "paths        rate over the connections that trials add, relative to one, with",
      "             50 Mbit/s per connection",
      "medium       16 to 64 KiB: default striping, relative to the best fixed policy",
      "request      median of a 1 MiB request over two rails, relative to one",
      "rate-drop    seconds until the remaining rate is used, after a rail falls to a tenth",
      "rail-death   seconds without a message after a cable is pulled",
      "rail-return  seconds until a restored cable carries its share",
      "partition    seconds until the first message after 10 s without a cable",
      "flap         messages lost while cables are pulled and plugged at random during",
      "             --seconds, over TLS; other experiments seal frames",
      "soak         rails suspected under full load of both directions",
      "overhead     rates over tcp, relative to the checkout --baseline, in turn;",
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

  @Option(
      names = "--seconds",
      defaultValue = "3",
      description = "Duration of a measurement; default 3.")
  private double seconds;

  @Option(names = "--runs", defaultValue = "5", description = "Number of counted runs; default 5.")
  private int runs;

  @Option(
      names = "--baseline",
      paramLabel = "DIRECTORY",
      description = "Checkout of the version to compare with; for overhead.")
  private Path baseline;

  @Option(
      names = "--json",
      description = "Prints only the result, as JSON; progress goes to the error output.")
  private boolean json;

  @Spec
  private CommandSpec spec;

  /** Instantiated by picocli. */
  public NetlabCommand() {}

  /** Names of all experiments, for the help text. */
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
          spec.commandLine(),
          "overhead requires --baseline DIRECTORY, and no other experiment accepts it");
    }
    if (experiment == Experiment.OVERHEAD) {
      return report(
          new Overhead(baseline.toAbsolutePath(), this::printProgress).run(seconds, runs));
    }
    try (Keys keys = Keys.create(experiment == Experiment.FLAP, experiment.rails());
        Hosts hosts = Hosts.create(experiment.rails(), experiment.megabits())) {
      // Removes the namespaces if the user interrupts the command.
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
      far.onEnd(ended -> outcome.completeExceptionally(new CommandFailure(ended.describeEnd())));
      near.onEnd(ended -> outcome.completeExceptionally(new CommandFailure(ended.describeEnd())));
      return report(result(outcome));
    }
  }

  private ChildProcess near(
      Hosts hosts,
      ChildProcess far,
      CompletableFuture<String> ready,
      Plan.Repetition repetition,
      CompletableFuture<Outcome> outcome) {
    far.onEnd(ended -> ready.completeExceptionally(new CommandFailure(ended.describeEnd())));
    Listening.address(result(ready.orTimeout(READY_SECONDS, TimeUnit.SECONDS)));
    return ChildProcess.startOn(
        Hosts.on(hosts.near()),
        "near host's",
        Plan.arguments("netlab-near", experiment, hosts, repetition),
        line -> handle(line, outcome));
  }

  /** Native libraries may print other lines first. */
  private static void announced(String line, CompletableFuture<String> ready) {
    if (Listening.isAnnouncement(line)) {
      ready.complete(line);
    }
  }

  private void handle(String line, CompletableFuture<Outcome> outcome) {
    if (line.startsWith("{")) {
      outcome.complete(Json.parse(line, Outcome.class));
    } else {
      printProgress(line);
    }
  }

  private void printProgress(String line) {
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
