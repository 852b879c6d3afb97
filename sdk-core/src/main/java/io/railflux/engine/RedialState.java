package io.railflux.engine;

/**
 * What the accepting side does about one path that was lost. Allowed transitions:
 *
 * <pre>
 *   WAITING --its pause is over--------------------> DIALING
 *   DIALING --failed, or the peer is at it itself--> WAITING
 *   DIALING --the path was lost again meanwhile----> WAITING
 *   DIALING --joined, or the peer refuses----------> OVER
 *   any     --the path is there, or nobody wants it-> OVER
 * </pre>
 */
enum RedialState {
  /** Not yet, or not yet again. */
  WAITING,
  /** An endpoint is being made, or the handshake over it. */
  DIALING,
  /** Nothing is left to do. */
  OVER;

  boolean canBecome(RedialState next) {
    return switch (this) {
      case WAITING -> next == DIALING || next == OVER;
      case DIALING -> next == WAITING || next == OVER;
      case OVER -> false;
    };
  }
}
