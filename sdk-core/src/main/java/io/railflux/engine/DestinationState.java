package io.railflux.engine;

/**
 * What the connecting side does about one connection it is to have. Allowed transitions:
 *
 * <pre>
 *   WAITING  --its turn, its pause is over--> TRYING
 *   TRYING   --joined-----------------------> CARRYING
 *   TRYING   --failed-----------------------> WAITING
 *   CARRYING --its subchannel was lost------> WAITING
 *   any      --nobody wants it any more-----> REMOVED
 * </pre>
 */
enum DestinationState {
  /** Not tried yet, or not again yet. */
  WAITING,
  /** A handshake is under way. */
  TRYING,
  /** A subchannel leads there. */
  CARRYING,
  /** Given up for good. */
  REMOVED;

  boolean canBecome(DestinationState next) {
    return switch (this) {
      case WAITING -> next == TRYING || next == REMOVED;
      case TRYING -> next == CARRYING || next == WAITING || next == REMOVED;
      case CARRYING -> next == WAITING || next == REMOVED;
      case REMOVED -> false;
    };
  }
}
