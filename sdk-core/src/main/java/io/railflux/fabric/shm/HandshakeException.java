package io.railflux.fabric.shm;

import java.io.IOException;

/** A handshake that cannot go on; carries what to tell the other side. */
final class HandshakeException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  HandshakeException(Refusal refusal, String message) {
    super(message);
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
