package io.railflux.fabric.verbs;

import java.util.EnumSet;
import java.util.Set;

/**
 * How far an attempt to connect has come. Allowed transitions:
 *
 * <pre>
 *   LOOKING_UP         --name known-->        RESOLVING_ADDRESS
 *   RESOLVING_ADDRESS  --device known-->      RESOLVING_ROUTE
 *   RESOLVING_ROUTE    --receives posted, REQ sent-->  REQUESTING
 *   REQUESTING         --REP received, RTU sent-->     ESTABLISHED
 *   any but the last two  --error, rejection, time-->  FAILED
 * </pre>
 */
enum DialState {
  LOOKING_UP,
  RESOLVING_ADDRESS,
  RESOLVING_ROUTE,
  REQUESTING,
  ESTABLISHED,
  FAILED;

  Set<DialState> successors() {
    return switch (this) {
      case LOOKING_UP -> EnumSet.of(RESOLVING_ADDRESS, FAILED);
      case RESOLVING_ADDRESS -> EnumSet.of(RESOLVING_ROUTE, FAILED);
      case RESOLVING_ROUTE -> EnumSet.of(REQUESTING, FAILED);
      case REQUESTING -> EnumSet.of(ESTABLISHED, FAILED);
      case ESTABLISHED, FAILED -> EnumSet.noneOf(DialState.class);
    };
  }

  boolean isOver() {
    return this == ESTABLISHED || this == FAILED;
  }

  /** @throws IllegalStateException for a transition that is not listed */
  DialState to(DialState next) {
    if (!successors().contains(next)) {
      throw new IllegalStateException(this + " cannot become " + next);
    }
    return next;
  }
}
