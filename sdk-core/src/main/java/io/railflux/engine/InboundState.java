package io.railflux.engine;

/**
 * Receiving half of a stream (D7). Allowed transitions:
 *
 * <pre>
 *   AWAITING_PRODUCER --OPEN of that name----------------> FLOWING
 *   PARKED            --somebody subscribes--------------> FLOWING
 *   FLOWING           --COMPLETE or ERROR before the last message--> DRAINING
 *   FLOWING, DRAINING --end reached, cancel, peer lost---> ENDED
 *   PARKED, AWAITING_PRODUCER --cancel, withdrawal, peer lost--> ENDED
 * </pre>
 */
enum InboundState {
  /** Subscribed here, not announced by the peer yet. */
  AWAITING_PRODUCER,
  /** Announced by the peer, nobody subscribed here: its producer is held back. */
  PARKED,
  FLOWING,
  /** Half-closed: the end is known, messages before it are still on their way. */
  DRAINING,
  ENDED;

  boolean canBecome(InboundState next) {
    return switch (this) {
      case AWAITING_PRODUCER, PARKED -> next == FLOWING || next == DRAINING || next == ENDED;
      case FLOWING -> next == DRAINING || next == ENDED;
      case DRAINING -> next == ENDED;
      case ENDED -> false;
    };
  }
}
