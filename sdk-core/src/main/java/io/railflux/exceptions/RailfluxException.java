package io.railflux.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions that Railflux signals. One {@code onErrorResume} can handle all of them.
 *
 * <p>They have no stack trace: they report events of a peer or of the network, which the message names, and the trace
 * would only show the engine. {@code block()} adds the trace of its caller.
 */
public abstract class RailfluxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception without a cause.
   *
   * @param message the failed operation, its cause and the remedy
   */
  protected RailfluxException(String message) {
    this(message, null);
  }

  /**
   * Creates an exception.
   *
   * @param message the failed operation, its cause and the remedy
   * @param cause the underlying failure; null without one
   */
  protected RailfluxException(String message, @Nullable Throwable cause) {
    super(message, cause, true, false);
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
