package io.railflux.fabric.shm.socket;

import java.io.IOException;

/** A failed handshake, with the refusal for the other side. */
public final class HandshakeException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  public HandshakeException(Refusal refusal, String message) {
    super(message);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
