package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Contender;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Listening;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The far side of a peer. Runs until standard input ends. */
@Command(name = "serve", hidden = true)
final class ServeCommand implements Callable<Integer> {

  @Mixin
  private JobOptions options;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> end(failure));
    Contender.Far far = options.contender().serve(options.job());
    // Covers an interruption of the whole command, which reaches this process as well.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(far)));
    Listening.announce(spec.commandLine().getOut(), far.address());
    while (System.in.read() >= 0) {
      // The content is ignored. Only the end of input matters.
    }
    return 0;
  }

  /**
   * Ends the process after a failure. The near side would wait for the failed thread, but detects the end of this
   * process.
   */
  private static void end(Throwable failure) {
    System.err.println(CommandFailure.line(failure));
    // On another thread, because the exit waits for the failed thread.
    new Thread(() -> System.exit(1), "end").start();
  }

  private static void close(Contender.Far far) {
    try {
      far.close();
    } catch (IOException e) {
      System.err.println(CommandFailure.line(e));
    }
  }
}
