package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** Runs a part of an experiment in a new process. */
final class NearProcess {

  /** The last line of the process. The process then waits for its end, so that no line is lost. */
  static final String DONE = "done";

  private NearProcess() {}

  /**
   * @param onLine receives the printed lines, on another thread
   */
  static void run(String role, List<String> arguments, Consumer<String> onLine) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    try (ChildProcess near = ChildProcess.start(Main.class.getName(), role, arguments, line -> {
      if (line.equals(DONE)) {
        done.complete(null);
      } else {
        hand(line, onLine, done);
      }
    })) {
      near.onEnd(ended -> done.completeExceptionally(new CommandFailure(ended.describeEnd())));
      done.join();
    } catch (CompletionException e) {
      throw new CommandFailure(CommandFailure.line(e.getCause()), e);
    }
  }

  /** Delivers a line. An exception of the listener must not end the reader, which would lose the last line. */
  private static void hand(String line, Consumer<String> onLine, CompletableFuture<Void> done) {
    try {
      onLine.accept(line);
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }
}
