package io.railflux.exceptions;

/** One message is larger than the configured limit. Only its stream fails. */
public final class MessageTooLargeException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final long sizeBytes;
  private final long limitBytes;

  /**
   * @param sizeBytes encoded size of the message in bytes
   * @param limitBytes largest size allowed in bytes
   */
  public MessageTooLargeException(String message, long sizeBytes, long limitBytes) {
    super(message);
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }

  /** Encoded size of the message in bytes. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Largest size allowed in bytes. */
  public long limitBytes() {
    return limitBytes;
  }
}
