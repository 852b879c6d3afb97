package io.railflux.wire;

/** The body of a frame or handshake message is malformed; the session with the peer must end. */
public final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with the defect. */
  public MalformedFrameException(String message) {
    super(message);
  }

  /** Creates the exception with the defect and the failed check. */
  public MalformedFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
