package io.railflux.exceptions;

/** A request or an open did not finish within the time its caller allowed. */
public final class DeadlineExceededException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /** The message names the operation, the peer and the time allowed. */
  public DeadlineExceededException(String message) {
    super(message);
  }
}
