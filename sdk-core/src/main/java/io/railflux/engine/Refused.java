package io.railflux.engine;

import io.railflux.wire.HelloReject;
import io.railflux.wire.Versions;

/** A handshake ends here, for a reason the peer may know. */
final class Refused extends Exception {

  private static final long serialVersionUID = 1;

  private final int reason;

  /** @param reason one of {@link HelloReject} */
  Refused(int reason, String text) {
    super(text, null, false, false);
    this.reason = reason;
  }

  HelloReject reject() {
    return new HelloReject(Versions.SUPPORTED, reason, getMessage());
  }
}
