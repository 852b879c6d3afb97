package io.railflux.exceptions;

/**
 * The peer sent bytes the protocol forbids, or speaks no common version. Its session ends; the node
 * and all other peers go on.
 */
public final class ProtocolViolationException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  /** The message names the peer, the frame and the rule it broke. */
  public ProtocolViolationException(String message) {
    super(message);
  }
}
