package io.railflux.samples.cli.netlab;

import io.railflux.Node;
import io.railflux.samples.cli.shell.Lifeline;
import io.railflux.samples.cli.shell.Listening;
import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.stat.StatService;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The process of the far host. It listens at the end of every cable. */
@Command(name = "netlab-far", hidden = true)
public final class FarCommand implements Callable<Integer> {

  @Mixin
  private Plan plan;

  @Spec
  private CommandSpec spec;

  /** Instantiated by picocli. */
  public FarCommand() {}

  @Override
  public Integer call() {
    Node node = plan.network().node("netlab-far").start().block();
    Lifeline.watch(node);
    new FarHost().serve(node);
    StatService.serve(node);
    for (int rail = 0; rail < plan.experiment().rails(); rail++) {
      Network.bind(node, Line.address(rail));
    }
    Listening.announce(spec.commandLine().getOut(), Line.address(0));
    node.onClose().block();
    return 0;
  }
}
