package io.railflux.exceptions;

import java.util.Objects;

/** The peer rejected a stream or request. It delivered no message. */
public final class StreamRejectedException extends RailfluxException {

  /** Cause of a rejection. */
  public enum Reason {
    /** A stream of that name is already open between the two nodes. */
    DUPLICATE_NAME,
    /** The two sides use different codecs for the stream or route. */
    CODEC_MISMATCH,
    /** The peer has no handler for the route. */
    NO_SUCH_ROUTE,
    /** The peer has reached its limit of open streams. */
    TOO_MANY_STREAMS,
    /** The peer is closing. */
    CLOSING,
    /** The receiver gives a position, and the sender offers none. */
    NOT_POSITIONED
  }

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /**
   * Creates the exception.
   *
   * @param reason cause of the rejection
   * @param message the stream or route, and the peer
   * @throws NullPointerException if {@code reason} is null
   */
  public StreamRejectedException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /**
   * Returns the cause of the rejection.
   *
   * @return the reason that the peer sent
   */
  public Reason reason() {
    return reason;
  }

  /** Returns true: a rejected request reaches no handler. */
  @Override
  public boolean isUnsent() {
    return true;
  }
}
