package io.railflux.wire;

/** The body of a frame or a handshake message breaks the format: the peer's session must end. */
public final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates it with what is wrong. */
  public MalformedFrameException(String message) {
    super(message);
  }

  /** Creates it with what is wrong and the check that found it. */
  public MalformedFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
