package io.railflux.exceptions;

import org.jspecify.annotations.Nullable;

/** No address led to the peer, or the peer was lost. A failed connect has sent no message. */
public final class PeerUnreachableException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final boolean unsent;

  /**
   * Creates the exception without a cause.
   *
   * @param message the peer, the addresses with their failures, and the remedy
   */
  public PeerUnreachableException(String message) {
    this(message, false);
  }

  /**
   * Creates the exception of a request.
   *
   * @param message the peer and the failure
   * @param unsent whether the request certainly reached no handler
   */
  public PeerUnreachableException(String message, boolean unsent) {
    super(message);
    this.unsent = unsent;
  }

  /**
   * Creates the exception.
   *
   * @param message the peer, the addresses with their failures, and the remedy
   * @param cause the last failure of a connect; null without one
   */
  public PeerUnreachableException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.unsent = false;
  }

  @Override
  public boolean isUnsent() {
    return unsent;
  }
}
