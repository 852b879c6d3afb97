package io.railflux.exceptions;

/** A message exceeds the limit of the session. Only its stream or request fails. */
public final class MessageTooLargeException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final long sizeBytes;
  private final long limitBytes;

  /**
   * Creates the exception.
   *
   * @param message the stream or route, the size and the limit
   * @param sizeBytes encoded size of the message in bytes
   * @param limitBytes largest permitted size in bytes
   */
  public MessageTooLargeException(String message, long sizeBytes, long limitBytes) {
    super(message);
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }

  /**
   * Returns the size of the message.
   *
   * @return the encoded size in bytes
   */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Returns the limit.
   *
   * @return the largest permitted size in bytes
   */
  public long limitBytes() {
    return limitBytes;
  }
}
