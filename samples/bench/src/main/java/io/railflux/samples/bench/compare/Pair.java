package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Leftovers;
import io.railflux.samples.bench.peers.Peer;
import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Listening;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts two new processes that measure one cell, and reads their output. */
final class Pair {

  private static final long PATIENCE_SECONDS = 60;

  private final String fabric;
  private final int seconds;

  Pair(String fabric, int seconds) {
    this.fabric = fabric;
    this.seconds = seconds;
  }

  /** Measures Railflux. The perf command starts the other process. */
  Map<Cell.Measure, Double> railflux(Cell cell) {
    return measured(
        ChildProcess.CLI,
        PeerResults.RAILFLUX,
        cell,
        List.of(
            "perf",
            "--lifeline",
            "--json",
            "--percentiles",
            "--fabric",
            fabric,
            "--workload",
            cell.kind().perfWorkload(),
            "--size",
            String.valueOf(cell.sizeBytes()),
            "--work",
            cell.work().toString(),
            "--seconds",
            String.valueOf(seconds)),
        new CompletableFuture<>());
  }

  Map<Cell.Measure, Double> peer(Peer peer, Cell cell) {
    List<String> job = List.of(
        "--peer",
        peer.toString(),
        "--size",
        String.valueOf(cell.sizeBytes()),
        "--kind",
        cell.kind().toString(),
        "--work",
        cell.work().toString());
    CompletableFuture<String> ready = new CompletableFuture<>();
    ChildProcess far = ChildProcess.start(
        Main.class.getName(),
        peer + " far",
        with("serve", job),
        line -> complete(ready, Listening.isAnnouncement(line), line));
    try {
      CompletableFuture<String> died = new CompletableFuture<>();
      far.onEnd(ended -> died.completeExceptionally(new CommandFailure(ended.describeEnd())));
      String address = Listening.address(await(ready, died, peer + " far"));
      List<String> near = with("drive", job);
      near.addAll(List.of("--connect", address, "--far", String.valueOf(far.pid())));
      near.addAll(List.of("--seconds", String.valueOf(seconds)));
      return measured(Main.class.getName(), peer + " near", cell, near, died);
    } finally {
      far.close();
      Leftovers.remove(far.pid());
    }
  }

  /** Completes with the result line. Native libraries may print other lines. */
  private static void complete(CompletableFuture<String> result, boolean counts, String line) {
    if (counts) {
      result.complete(line);
    }
  }

  private static List<String> with(String command, List<String> job) {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(job);
    return arguments;
  }

  /**
   * @param died fails when the far process ends, which is the cause of any failure of the near process
   */
  private Map<Cell.Measure, Double> measured(
      String main, String role, Cell cell, List<String> arguments, CompletableFuture<String> died) {
    CompletableFuture<String> result = new CompletableFuture<>();
    ChildProcess near = ChildProcess.start(
        main, role, arguments, line -> complete(result, line.startsWith("{"), line));
    try {
      near.onEnd(ended -> result.completeExceptionally(new CommandFailure(ended.describeEnd())));
      return figures(cell, await(result, died, role));
    } finally {
      near.close();
      Leftovers.remove(near.pid());
    }
  }

  private String await(
      CompletableFuture<String> line, CompletableFuture<String> died, String role) {
    try {
      CompletableFuture<Object> first = CompletableFuture.anyOf(line, died);
      return (String) first.get(PATIENCE_SECONDS + 5L * seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new CommandFailure(CommandFailure.line(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new CommandFailure("the " + role + " process printed no result in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }

  private static Map<Cell.Measure, Double> figures(Cell cell, String line) {
    Map<?, ?> result = Json.parse(line, Map.class);
    Map<Cell.Measure, Double> figures = new EnumMap<>(Cell.Measure.class);
    for (Cell.Measure measure : cell.kind().measures()) {
      figures.put(measure, ((Number) result.get(measure.field())).doubleValue());
    }
    return figures;
  }
}
