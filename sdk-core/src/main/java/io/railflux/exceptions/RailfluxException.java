package io.railflux.exceptions;

/** Root of all failures this SDK signals, so that one {@code onErrorResume} can catch them all. */
public abstract class RailfluxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** A failure without an underlying cause. */
  protected RailfluxException(String message) {
    super(message);
  }

  /** A failure with the cause that led to it; {@code cause} may be null. */
  protected RailfluxException(String message, Throwable cause) {
    super(message, cause);
  }
}
