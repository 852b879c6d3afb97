package io.railflux.exceptions;

/** The session with the peer ended in good order, by either side; connect again to go on. */
public final class PeerClosedException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /** The message names the peer and which side closed. */
  public PeerClosedException(String message) {
    super(message);
  }
}
