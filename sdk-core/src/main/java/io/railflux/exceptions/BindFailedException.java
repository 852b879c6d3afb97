package io.railflux.exceptions;

/** A node cannot accept peers at an address: it is taken, malformed or forbidden. */
public final class BindFailedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /**
   * Says what failed where.
   *
   * @param message the address, the cause and what to do
   * @param cause what the fabric reported
   */
  public BindFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
