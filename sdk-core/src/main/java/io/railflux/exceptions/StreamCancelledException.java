package io.railflux.exceptions;

/**
 * The far side cancelled its subscription before the stream completed. The first {@link
 * #acknowledgedCount()} messages were delivered; the rest were discarded.
 */
public final class StreamCancelledException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final long acknowledgedCount;

  /**
   * @param acknowledgedCount messages of this stream the peer acknowledged, from its first on
   */
  public StreamCancelledException(String message, long acknowledgedCount) {
    super(message);
    this.acknowledgedCount = acknowledgedCount;
  }

  /** Messages, counted from the first of the stream, that are known to be in the peer's memory. */
  public long acknowledgedCount() {
    return acknowledgedCount;
  }
}
