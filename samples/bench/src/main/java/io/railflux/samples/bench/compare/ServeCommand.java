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

/** The far side of a peer, until standard input ends. */
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
    // Also when the whole command is interrupted, which reaches this process, too.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(far)));
    Listening.announce(spec.commandLine().getOut(), far.address());
    while (System.in.read() >= 0) {
      // Nothing is said on this line; what counts is that it ends.
    }
    return 0;
  }

  /** The near side would wait for a thread that has failed; the end of this process it hears of. */
  private static void end(Throwable failure) {
    System.err.println(CommandFailure.line(failure));
    // Not here: the end waits for the thread that failed.
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
