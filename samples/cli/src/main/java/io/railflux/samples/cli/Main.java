package io.railflux.samples.cli;

import io.railflux.samples.cli.demo.DemoCommand;
import io.railflux.samples.cli.demo.SourceCommand;
import io.railflux.samples.cli.demo.StageCommand;
import io.railflux.samples.cli.netlab.FarCommand;
import io.railflux.samples.cli.netlab.NearCommand;
import io.railflux.samples.cli.netlab.NetlabCommand;
import io.railflux.samples.cli.perf.PerfCommand;
import io.railflux.samples.cli.shell.OneLineErrors;
import io.railflux.samples.cli.stat.StatCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the {@code railflux} command. */
@Command(
    name = "railflux",
    mixinStandardHelpOptions = true,
    version = "railflux 0.1.0-SNAPSHOT",
    description = "Typed reactive streams over shared memory, TCP and RDMA.",
    footer = {
      "",
      "samples/railflux compare (module samples/bench) compares with other libraries; "
          + "samples/railflux growth varies message size, streams, peers and slow subscribers."
    },
    subcommands = {
      DemoCommand.class,
      PerfCommand.class,
      Simulate.class,
      Doctor.class,
      SourceCommand.class,
      StageCommand.class,
      StatCommand.class,
      NetlabCommand.class,
      NearCommand.class,
      FarCommand.class
    })
final class Main implements Runnable {

  private Main() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    OneLineErrors errors = new OneLineErrors();
    return new CommandLine(new Main())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
