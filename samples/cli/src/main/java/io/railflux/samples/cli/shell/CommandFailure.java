package io.railflux.samples.cli.shell;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A command cannot be executed. The message is the one line that the user sees. */
public final class CommandFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns the failure to write a file, with the reason. Messages of the JDK often contain only the name of the file.
   */
  public static CommandFailure cannotWrite(Path file, IOException trouble) {
    String reason = trouble.getMessage();
    if (trouble instanceof NoSuchFileException) {
      reason = "there is no such directory";
    } else if (trouble instanceof AccessDeniedException) {
      reason = "no permission";
    } else if (trouble instanceof FileSystemException known && known.getReason() != null) {
      reason = known.getReason();
    }
    return new CommandFailure(
        "cannot write " + file + ": " + reason + "; name another file", trouble);
  }

  /** Returns the description of a failure in one line. */
  public static String line(Throwable failure) {
    Throwable cause = reactor.core.Exceptions.unwrap(failure);
    String message = cause.getMessage();
    boolean plain = cause instanceof CommandFailure
        || cause instanceof io.railflux.exceptions.RailfluxException
        || cause instanceof IllegalArgumentException;
    String text = message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : plain ? message : cause.getClass().getSimpleName() + ": " + message;
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
