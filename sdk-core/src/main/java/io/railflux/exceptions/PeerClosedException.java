package io.railflux.exceptions;

/** Either side closed the session with the peer. A new connect creates a new session. */
public final class PeerClosedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final boolean unsent;

  /**
   * Creates the exception.
   *
   * @param message the peer and the closing side
   */
  public PeerClosedException(String message) {
    this(message, false);
  }

  /**
   * Creates the exception of a request.
   *
   * @param message the peer and the closing side
   * @param unsent whether the request certainly reached no handler
   */
  public PeerClosedException(String message, boolean unsent) {
    super(message);
    this.unsent = unsent;
  }

  @Override
  public boolean isUnsent() {
    return unsent;
  }
}
