package io.railflux.engine;

/**
 * Whether a path may be used (FT2: V 10.3.2). Allowed transitions:
 *
 * <pre>
 *   AVAILABLE   --its subchannel failed---------------------> RECOVERING
 *   RECOVERING  --what it carried was settled with the peer-> UNAVAILABLE
 *   RECOVERING  --another subchannel joined over it---------> AVAILABLE
 *   UNAVAILABLE --another subchannel joined over it---------> AVAILABLE
 * </pre>
 */
enum PathState {
  /** A live subchannel carries traffic. */
  AVAILABLE,
  /** The subchannel is fenced; what the peer did not receive is sent again over other paths. */
  RECOVERING,
  /** Nothing is left of it but what is known. */
  UNAVAILABLE;

  boolean canBecome(PathState next) {
    return switch (this) {
      case AVAILABLE -> next == RECOVERING;
      case RECOVERING -> next == UNAVAILABLE || next == AVAILABLE;
      case UNAVAILABLE -> next == AVAILABLE;
    };
  }
}
