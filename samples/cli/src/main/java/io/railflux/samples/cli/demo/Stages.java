package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Listening;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/** The processes before the sink, their latest reports, and the deaths of processes on this host. */
final class Stages implements AutoCloseable {

  private static final long GRACE_MILLIS = 500;
  private static final long REPORT_SECONDS = 10;
  private static final long START_SECONDS = 120;

  private final LatestStatus source;
  private final LatestStatus stage;
  private final List<ChildProcess> processes = new ArrayList<>();
  private final CompletableFuture<Void> died = new CompletableFuture<>();
  private final CompletableFuture<String> result = new CompletableFuture<>();
  private final String address;

  /** Starts the processes of this host. */
  Stages(DemoPlan plan, Node sink, String sinkAddress) {
    source = new LatestStatus(plan.warmUpNanos());
    stage = new LatestStatus(plan.warmUpNanos());
    sink.respond(Status.OF_SOURCE, source::update);
    sink.respond(Status.OF_STAGE, stage::update);
    sink.respond(DemoResult.ROUTE, asked -> Mono.fromFuture(result, true));
    try {
      address = startStage(plan.stageArguments(sinkAddress));
      if (!plan.remoteSource()) {
        start("source", plan.sourceArguments(address), new CompletableFuture<>());
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private String startStage(List<String> arguments) {
    CompletableFuture<String> firstLine = new CompletableFuture<>();
    ChildProcess process = start("stage", arguments, firstLine);
    try {
      CompletableFuture.anyOf(firstLine, process.ended()).get(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new CommandFailure("the stage process did not start in time; is this machine busy?", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    if (!firstLine.isDone()) {
      throw explained(new CommandFailure("the stage process did not start"));
    }
    return Listening.address(firstLine.join());
  }

  private ChildProcess start(
      String role, List<String> arguments, CompletableFuture<String> firstLine) {
    ChildProcess process = ChildProcess.start(role, arguments, firstLine::complete);
    processes.add(process);
    process.onEnd(ended -> died.complete(null));
    return process;
  }

  /** Returns the address for the source. */
  String address() {
    return address;
  }

  LatestStatus source() {
    return source;
  }

  LatestStatus stage() {
    return stage;
  }

  /** Completes when one process has ended. In a regular run none ends before the result. */
  CompletableFuture<Void> died() {
    return died;
  }

  /** Returns the report of the source after all of its events were acknowledged. */
  Status sourceDone() {
    try {
      stage.done().get(REPORT_SECONDS, TimeUnit.SECONDS);
      return source.done().get(REPORT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw explained(
          new CommandFailure("the source and stage processes did not report their end"));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Reports the outcome to the source. A remote source, and thus the stage, has ended when this method returns. */
  void report(DemoResult outcome, boolean remoteSource) {
    result.complete(Json.line(outcome));
    if (remoteSource) {
      try {
        died.get(REPORT_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException | ExecutionException e) {
        // The source reads slowly or died without notice. The result is the same.
        return;
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private static CommandFailure interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CommandFailure("interrupted", e);
  }

  /** Returns the death of a child as the cause of a failure. A killed child is the cause of the death of others. */
  RuntimeException explained(Throwable failure) {
    try {
      died.get(GRACE_MILLIS, TimeUnit.MILLISECONDS);
      TimeUnit.MILLISECONDS.sleep(GRACE_MILLIS);
    } catch (TimeoutException | ExecutionException e) {
      return new CommandFailure(CommandFailure.line(failure), failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new CommandFailure(culprit().describeEnd() + "; run the demo again", failure);
  }

  private ChildProcess culprit() {
    List<ChildProcess> dead =
        processes.stream().filter(process -> !process.isAlive()).toList();
    return dead.stream().filter(ChildProcess::wasKilled).findFirst().orElse(dead.get(0));
  }

  @Override
  public void close() {
    // The source ends first, because it still communicates with the stage.
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).close();
    }
  }
}
