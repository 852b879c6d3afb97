package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.Lifeline;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The peers of the measured node. Executes orders until standard input ends. */
@Command(name = "far", hidden = true)
final class FarCommand implements Callable<Integer> {

  @Option(names = "--fabric", required = true)
  private String fabric;

  @Option(names = "--hub", required = true, split = ",")
  private List<String> hub;

  @Option(names = "--metered")
  private boolean metered;

  @Override
  public Integer call() {
    FarSide far = FarSide.connect(new Crowd(fabric, hub), metered);
    Lifeline.watch(far::close);
    far.onClose().block();
    return 0;
  }
}
