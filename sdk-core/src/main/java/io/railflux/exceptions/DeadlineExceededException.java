package io.railflux.exceptions;

/** A request was not answered within its time to live. The responder is cancelled. */
public final class DeadlineExceededException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the operation, the peer and the permitted time
   */
  public DeadlineExceededException(String message) {
    super(message);
  }
}
