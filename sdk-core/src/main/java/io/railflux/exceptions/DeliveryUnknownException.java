package io.railflux.exceptions;

/**
 * A send ended without an answer from the peer: it timed out, or the peer restarted and forgot the
 * session. The first {@link #acknowledgedCount()} messages were delivered exactly once and in
 * order; whether any later message arrived is unknown. Sending those again may duplicate them.
 */
public final class DeliveryUnknownException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final long acknowledgedCount;

  /**
   * @param acknowledgedCount messages of this stream the peer acknowledged, from its first on
   */
  public DeliveryUnknownException(String message, long acknowledgedCount) {
    this(message, acknowledgedCount, null);
  }

  /**
   * @param acknowledgedCount messages of this stream the peer acknowledged, from its first on
   */
  public DeliveryUnknownException(String message, long acknowledgedCount, Throwable cause) {
    super(message, cause);
    this.acknowledgedCount = acknowledgedCount;
  }

  /** Messages, counted from the first of the stream, that are known to be in the peer's memory. */
  public long acknowledgedCount() {
    return acknowledgedCount;
  }
}
