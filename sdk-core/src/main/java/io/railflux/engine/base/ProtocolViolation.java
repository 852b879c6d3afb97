package io.railflux.engine.base;

/** The peer violated the protocol, which ends its session. The message names the violation. */
public final class ProtocolViolation extends Exception {

  private static final long serialVersionUID = 1;

  public ProtocolViolation(String message) {
    super(message, null, false, false);
  }
}
