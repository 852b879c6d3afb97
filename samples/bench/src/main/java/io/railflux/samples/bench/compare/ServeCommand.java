package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Contender;
import io.railflux.samples.cli.shell.Listening;
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
    try (Contender.Far far = options.contender().serve(options.job())) {
      Listening.announce(spec.commandLine().getOut(), far.address());
      while (System.in.read() >= 0) {
        // Nothing is said on this line; what counts is that it ends.
      }
    }
    return 0;
  }
}
