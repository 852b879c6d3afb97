package io.railflux.exceptions;

/** Either side closed the session with the peer. A new connect creates a new session. */
public final class PeerClosedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the peer and the closing side
   */
  public PeerClosedException(String message) {
    super(message);
  }
}
