package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** Runs a part of an experiment in a fresh process. */
final class NearProcess {

  /** Its last line; it stays until it is told to end, so that none is lost. */
  static final String DONE = "done";

  private NearProcess() {}

  /** @param onLine gets the lines it prints, on another thread */
  static void run(String role, List<String> arguments, Consumer<String> onLine) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    try (ChildProcess near = ChildProcess.start(Main.class.getName(), role, arguments, line -> {
      if (line.equals(DONE)) {
        done.complete(null);
      } else {
        hand(line, onLine, done);
      }
    })) {
      near.onEnd(ended -> done.completeExceptionally(new CommandFailure(ended.obituary())));
      done.join();
    } catch (CompletionException e) {
      throw new CommandFailure(CommandFailure.line(e.getCause()), e);
    }
  }

  /** Whoever reads the lines would end with what throws here, and the last one never come. */
  private static void hand(String line, Consumer<String> onLine, CompletableFuture<Void> done) {
    try {
      onLine.accept(line);
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }
}
