package io.railflux.exceptions;

import org.jspecify.annotations.Nullable;

/** Root of all exceptions that Railflux signals. One {@code onErrorResume} can handle all of them. */
public abstract class RailfluxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception without a cause.
   *
   * @param message the failed operation, its cause and the remedy
   */
  protected RailfluxException(String message) {
    super(message);
  }

  /**
   * Creates an exception.
   *
   * @param message the failed operation, its cause and the remedy
   * @param cause the underlying failure; null without one
   */
  protected RailfluxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns whether the failed request certainly reached no handler, so that it may be sent again without being handled
   * twice.
   *
   * @return true if no handler ran; false if that is unknown or the failure concerns no request
   */
  public boolean isUnsent() {
    return false;
  }
}
