package io.railflux.engine;

/**
 * Life of a subchannel. Allowed transitions:
 *
 * <pre>
 *   HANDSHAKING --HELLO answered--> LIVE
 *   HANDSHAKING --error-----------> FENCING
 *   LIVE        --error, fence----> FENCING
 *   FENCING     --drained, swept--> FENCED
 *   FENCED      --both RESUMEs, replay acknowledged--> RETIRED
 *   LIVE, FENCING, FENCED --channel closed--> RETIRED
 * </pre>
 */
enum SubchannelState {
  /** The endpoint is connected; HELLO is on its way. */
  HANDSHAKING,
  /** Carries traffic. */
  LIVE,
  /** In error; what the peer wrote before may still land (D1). */
  FENCING,
  /** Nothing lands any more and all that landed was read: RESUME may be sent. */
  FENCED,
  /** Resources released. */
  RETIRED;

  boolean canBecome(SubchannelState next) {
    return switch (this) {
      case HANDSHAKING -> next == LIVE || next == FENCING;
      case LIVE -> next == FENCING || next == RETIRED;
      case FENCING -> next == FENCED || next == RETIRED;
      case FENCED -> next == RETIRED;
      case RETIRED -> false;
    };
  }
}
