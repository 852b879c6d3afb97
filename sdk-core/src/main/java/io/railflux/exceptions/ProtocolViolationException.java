package io.railflux.exceptions;

/**
 * The peer violated the protocol, or supports no common version. Its session ends; the node and other sessions
 * continue.
 */
public final class ProtocolViolationException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the peer, the frame and the violated rule
   */
  public ProtocolViolationException(String message) {
    super(message);
  }
}
