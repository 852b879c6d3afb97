package io.railflux.samples.cli.shell;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Failures as one line on standard error: exit 2 for wrong usage, 1 for everything else. */
public final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    print(command, name + ": " + oneLine(wrong.getMessage()) + "; see " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    String name = command.getCommandSpec().qualifiedName();
    print(command, name + ": " + CommandFailure.line(failure));
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static void print(CommandLine command, String line) {
    command.getErr().println(line);
    command.getErr().flush();
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
