package io.railflux.engine;

import java.util.EnumSet;
import java.util.Set;

/**
 * How far a handshake is. The connecting side goes from {@link #AWAITING_HELLO} to {@link
 * #AWAITING_JOINED}, the accepting one to {@link #AWAITING_PROOF}; any may be {@link #OVER} at any time.
 */
enum HandshakeState {
  AWAITING_HELLO,
  AWAITING_PROOF,
  AWAITING_JOINED,
  /** The subchannel is live, or nothing comes of it. */
  OVER;

  private static final Set<HandshakeState> SECOND =
      EnumSet.of(AWAITING_PROOF, AWAITING_JOINED, OVER);

  boolean canBecome(HandshakeState next) {
    return switch (this) {
      case AWAITING_HELLO -> SECOND.contains(next);
      case AWAITING_PROOF, AWAITING_JOINED -> next == OVER;
      case OVER -> false;
    };
  }
}
