package io.railflux.engine;

/**
 * Receiving half of a stream (D7). Allowed transitions:
 *
 * <pre>
 *   AWAITING_PRODUCER --OPEN of that name, or there already--> FLOWING
 *   FLOWING           --COMPLETE or ERROR before a message---> DRAINING
 *   FLOWING, DRAINING --end reached, cancel, peer lost-------> ENDED
 *   AWAITING_PRODUCER --cancel, refusal, peer lost-----------> ENDED
 * </pre>
 *
 * A stream that is announced and has no subscriber has no receiving half: {@link Streams} keeps its name
 * parked. The subscription that takes it out passes through AWAITING_PRODUCER.
 */
enum InboundState {
  /** Subscribed here, not announced by the peer yet; of replies: the request is not sent yet. */
  AWAITING_PRODUCER,
  FLOWING,
  /**
   * Half-closed: the end overtook messages before it, which are large or on their way over another rail. The next
   * stream of the name may be announced, and is parked.
   */
  DRAINING,
  ENDED;

  boolean canBecome(InboundState next) {
    return switch (this) {
      case AWAITING_PRODUCER -> next == FLOWING || next == ENDED;
      case FLOWING -> next == DRAINING || next == ENDED;
      case DRAINING -> next == ENDED;
      case ENDED -> false;
    };
  }
}
