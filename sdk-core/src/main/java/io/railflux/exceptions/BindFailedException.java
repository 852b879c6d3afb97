package io.railflux.exceptions;

import org.jspecify.annotations.Nullable;

/** A node cannot accept peers at an address: the address is in use, malformed or forbidden. */
public final class BindFailedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the address, the cause and the remedy
   * @param cause failure that the fabric reported; null without one
   */
  public BindFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
