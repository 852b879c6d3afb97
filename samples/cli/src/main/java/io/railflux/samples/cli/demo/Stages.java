package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Json;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The child processes of the demo, what they last told, and whether one of them died. */
final class Stages implements AutoCloseable {

  private static final long GRACE_MILLIS = 500;
  private static final long REPORT_SECONDS = 10;

  private final Child stage;
  private final Child source;
  private final CompletableFuture<Void> died = new CompletableFuture<>();

  Stages(DemoPlan plan) {
    stage = new Child("stage", plan.stageArguments(), plan);
    source = new Child("source", plan.sourceArguments(), plan);
    for (Child child : List.of(stage, source)) {
      child.process.onEnd(ended -> died.complete(null));
    }
  }

  private static final class Child {

    private final CompletableFuture<Status> done = new CompletableFuture<>();
    private final Footprint memory;
    private volatile Status status = Status.NONE;
    private final ChildProcess process;

    Child(String role, List<String> arguments, DemoPlan plan) {
      memory = new Footprint(plan.warmUpNanos());
      process = ChildProcess.start(role, arguments, this::onLine);
    }

    private void onLine(String line) {
      status = Json.parse(line, Status.class);
      memory.add(status.rssMiB(), status.events(), System.nanoTime());
      if (status.done()) {
        done.complete(status);
      }
    }
  }

  Status source() {
    return source.status;
  }

  Status stage() {
    return stage.status;
  }

  Footprint sourceMemory() {
    return source.memory;
  }

  Footprint stageMemory() {
    return stage.memory;
  }

  /** Completes when one of them has ended. None does before {@link #close}, if all is well. */
  CompletableFuture<Void> died() {
    return died;
  }

  /** What the source told when everything of it was acknowledged. */
  Status sourceDone() {
    try {
      stage.done.get(REPORT_SECONDS, TimeUnit.SECONDS);
      return source.done.get(REPORT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw explained(
          new CommandFailure("the source and stage processes did not report their end"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }

  /** The death of a child explains other failures; one that was killed explains another's death. */
  RuntimeException explained(Throwable failure) {
    try {
      died.get(GRACE_MILLIS, TimeUnit.MILLISECONDS);
      TimeUnit.MILLISECONDS.sleep(GRACE_MILLIS);
    } catch (TimeoutException | ExecutionException e) {
      return new CommandFailure(CommandFailure.line(failure), failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Child culprit = source.process.wasKilled() || stage.process.isAlive() ? source : stage;
    if (!source.process.wasKilled() && stage.process.wasKilled()) {
      culprit = stage;
    }
    return new CommandFailure(culprit.process.obituary() + "; run the demo again", failure);
  }

  @Override
  public void close() {
    source.process.close();
    stage.process.close();
  }
}
