package io.railflux.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * A send ended without an acknowledgement of all messages, because the peer was lost or its session was closed. The
 * first {@link #acknowledgedCount()} messages were delivered exactly once and in order. It is unknown whether later
 * messages arrived; sending them again may duplicate them.
 */
public final class DeliveryUnknownException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final long acknowledgedCount;

  /**
   * Creates the exception without a cause.
   *
   * @param message the stream, the peer and the reason
   * @param acknowledgedCount number of messages that the peer acknowledged, counted from the first of the stream
   */
  public DeliveryUnknownException(String message, long acknowledgedCount) {
    this(message, acknowledgedCount, null);
  }

  /**
   * Creates the exception.
   *
   * @param message the stream, the peer and the reason
   * @param acknowledgedCount number of messages that the peer acknowledged, counted from the first of the stream
   * @param cause failure that ended the session; null without one
   */
  public DeliveryUnknownException(
      String message, long acknowledgedCount, @Nullable Throwable cause) {
    super(message, cause);
    this.acknowledgedCount = acknowledgedCount;
  }

  /**
   * Returns the number of messages that the peer is known to have received.
   *
   * @return the number of acknowledged messages, counted from the first of the stream; a lower bound
   */
  public long acknowledgedCount() {
    return acknowledgedCount;
  }
}
