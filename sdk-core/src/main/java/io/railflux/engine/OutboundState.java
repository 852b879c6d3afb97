package io.railflux.engine;

/**
 * Sending half of a stream (D7). Allowed transitions:
 *
 * <pre>
 *   OPENING          --first demand-----------------> FLOWING
 *   OPENING, FLOWING --source completed-------------> COMPLETING
 *   OPENING, FLOWING --source failed or given up----> FAILING
 *   COMPLETING, FAILING --all acknowledged----------> ENDED
 *   any              --far cancel, reject, peer lost> ENDED
 * </pre>
 */
enum OutboundState {
  /** Announced; the far side has not asked for anything, perhaps nobody subscribed there. */
  OPENING,
  /** Messages go as far as demand reaches. */
  FLOWING,
  /** Half-closed: the source completed, acknowledgements are outstanding. */
  COMPLETING,
  /** Half-closed: the source failed or was given up, acknowledgements are outstanding. */
  FAILING,
  ENDED;

  boolean canBecome(OutboundState next) {
    return switch (this) {
      case OPENING -> next != OPENING;
      case FLOWING -> next == COMPLETING || next == FAILING || next == ENDED;
      case COMPLETING, FAILING -> next == ENDED;
      case ENDED -> false;
    };
  }

  boolean takesMessages() {
    return this == OPENING || this == FLOWING;
  }
}
