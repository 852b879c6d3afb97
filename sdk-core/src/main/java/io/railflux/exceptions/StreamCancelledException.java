package io.railflux.exceptions;

/**
 * The remote subscriber cancelled before the stream completed. The first {@link #acknowledgedCount()} messages were
 * delivered; later ones may have been dropped.
 */
public final class StreamCancelledException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final long acknowledgedCount;

  /**
   * Creates the exception.
   *
   * @param message the stream and the peer
   * @param acknowledgedCount number of messages that the peer acknowledged, counted from the first of the stream
   */
  public StreamCancelledException(String message, long acknowledgedCount) {
    super(message);
    this.acknowledgedCount = acknowledgedCount;
  }

  /**
   * Returns the number of messages that the peer is known to have received.
   *
   * @return the number of acknowledged messages, counted from the first of the stream
   */
  public long acknowledgedCount() {
    return acknowledgedCount;
  }
}
