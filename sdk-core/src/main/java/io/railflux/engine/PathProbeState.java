package io.railflux.engine;

/**
 * Whether a further connection is tried. Allowed transitions:
 *
 * <pre>
 *   WATCHING  --the rate of a lasting load is known--------------> TRYING
 *   TRYING    --the further connection is there------------------> MEASURING
 *   MEASURING --faster: it stays---------------------------------> WATCHING
 *   MEASURING --not faster---------------------------------------> RESTING
 *   TRYING    --it cannot be made--------------------------------> RESTING
 *   TRYING, MEASURING --it is lost or removed--------------------> RESTING
 *   TRYING, MEASURING --the load ends, other paths come or go----> RESTING
 *   WATCHING  --no address takes more----------------------------> RESTING
 *   RESTING   --the pause is over--------------------------------> WATCHING
 * </pre>
 */
enum PathProbeState {
  /** Measures what the paths there are move together. */
  WATCHING,
  /** A further connection is being made. */
  TRYING,
  /** Measures what they move with it. */
  MEASURING,
  /** The last one brought nothing, or nothing is known of it: the next is tried later. */
  RESTING;

  boolean canBecome(PathProbeState next) {
    return switch (this) {
      case WATCHING -> next == TRYING || next == RESTING;
      case TRYING -> next == MEASURING || next == RESTING;
      case MEASURING -> next == WATCHING || next == RESTING;
      case RESTING -> next == WATCHING;
    };
  }
}
