package io.railflux.exceptions;

/** No rail and path led to the peer within the connect time-out. Nothing was sent. */
public final class PeerUnreachableException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /** The message names the peer, the addresses tried and what to check. */
  public PeerUnreachableException(String message) {
    super(message);
  }

  /** As above, with the last connect failure as cause. */
  public PeerUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
