package io.railflux.samples.cli.shell;

/** A command cannot do what it was asked; the message is the one line its user sees. */
public final class CommandFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** What to tell people about any failure, without line breaks. */
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
