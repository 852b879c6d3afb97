package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.OneLineErrors;
import picocli.CommandLine;

/** Entry point of {@code railflux growth} and of its child processes. */
final class Main {

  private Main() {}

  public static void main(String[] args) {
    OneLineErrors errors = new OneLineErrors();
    System.exit(new CommandLine(new GrowthCommand())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .execute(args));
  }
}
