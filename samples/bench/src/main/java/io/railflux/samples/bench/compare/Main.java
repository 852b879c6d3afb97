package io.railflux.samples.bench.compare;

import io.railflux.samples.cli.shell.OneLineErrors;
import picocli.CommandLine;

/** Entry point of {@code railflux compare} and of its child processes. */
final class Main {

  private Main() {}

  public static void main(String[] args) {
    OneLineErrors errors = new OneLineErrors();
    System.exit(new CommandLine(new CompareCommand())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .execute(args));
  }
}
