package io.railflux.samples.cli.shell;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints failures as one line on standard error. The exit code is 2 for wrong usage and 1 for other failures. */
public final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    print(command, name + ": " + oneLine(text(wrong)) + "; see " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  private static String text(ParameterException wrong) {
    List<String> commands = commands(wrong.getCommandLine());
    if (wrong instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && !commands.isEmpty()) {
      return "no command has the name '" + unmatched.getUnmatched().get(0) + "'; choose "
          + String.join(", ", commands);
    }
    return wrong.getMessage();
  }

  /** Returns the visible commands. They start the hidden ones. */
  private static List<String> commands(CommandLine command) {
    return command.getSubcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(spec -> !spec.usageMessage().hidden())
        .map(CommandSpec::name)
        .toList();
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
