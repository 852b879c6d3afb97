package io.railflux.engine.path;

import io.railflux.engine.ring.IncomingRing;
import io.railflux.fabric.ExposedRegion;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.RingOffer;

/**
 * The ring that this side grants the peer on one subchannel, and its replacement while it is in use (CH3: T 3.3). The
 * receiver of a flow starts a replacement. The peer's RING_SWITCH frame is the last frame of the former ring, so that
 * no frame is lost or overtakes another. Engine thread only.
 */
public final class GrantedRing {

  /**
   * State of the replacement. Allowed transitions:
   *
   * <pre>
   *   STEADY    --memory is being allocated--------> PREPARING
   *   STEADY, PREPARING --memory exposed-----------> OFFERED
   *   PREPARING --no memory, no longer wanted------> STEADY
   *   OFFERED   --RING_SWITCH read, or declined----> STEADY
   *   any       --subchannel released--------------> CLOSED
   * </pre>
   */
  public enum State {
    /** The peer writes into the ring; no other ring exists. */
    STEADY,
    /** Another thread allocates the memory of another ring. */
    PREPARING,
    /** The peer may write into either ring, first into the present one. */
    OFFERED,
    /** Both rings are revoked. */
    CLOSED;

    public boolean canBecome(State next) {
      return switch (this) {
        case STEADY -> next != STEADY;
        case PREPARING -> next != PREPARING;
        case OFFERED -> next == STEADY || next == CLOSED;
        case CLOSED -> false;
      };
    }
  }

  private final int subchannelId;
  private final IncomingRing ring;
  private State state = State.STEADY;
  private ExposedRegion region;
  private ChannelKind kind;
  private ExposedRegion next;
  private ChannelKind nextKind;

  GrantedRing(int subchannelId, IncomingRing ring, ExposedRegion region, ChannelKind kind) {
    this.subchannelId = subchannelId;
    this.ring = ring;
    this.region = region;
    this.kind = kind;
  }

  private void become(State newState) {
    if (!state.canBecome(newState)) {
      throw new IllegalStateException(
          "ring of subchannel " + subchannelId + ": " + state + " cannot become " + newState);
    }
    state = newState;
  }

  public State state() {
    return state;
  }

  /** The kind of the ring that the peer writes into. */
  public ChannelKind kind() {
    return kind;
  }

  /** The kind after an open replacement. */
  public ChannelKind nextKind() {
    return nextKind == null ? kind : nextKind;
  }

  /** Size of the rings. Any thread, possibly with a slightly old value. */
  int bytes() {
    ExposedRegion offered = next;
    return region.lengthBytes() + (offered == null ? 0 : offered.lengthBytes());
  }

  /** The memory of another ring is being allocated. */
  public void prepare() {
    become(State.PREPARING);
  }

  /** The memory of another ring is not available, or no longer wanted. */
  public void abandon() {
    become(State.STEADY);
  }

  /** Returns the offer of another ring, which belongs to this object from now on. */
  public RingOffer offer(ExposedRegion newRegion, ChannelKind newKind) {
    become(State.OFFERED);
    next = newRegion;
    nextKind = newKind;
    return new RingOffer(subchannelId, newRegion.lengthBytes(), newRegion.key(), newKind.ordinal());
  }

  /**
   * Continues with the offered ring, after the last frame of the present one was read. The present ring is revoked.
   *
   * @return false, without effect, if the peer left a ring without an offer
   */
  public boolean follow() {
    if (state != State.OFFERED) {
      return false;
    }
    become(State.STEADY);
    ring.continueIn(next.memory(), next.lengthBytes());
    region.close();
    region = next;
    kind = nextKind;
    next = null;
    nextKind = null;
    return true;
  }

  /** Revokes the offered ring, which the peer declined. Returns false, without effect, if no offer is open. */
  public boolean declined() {
    if (state != State.OFFERED) {
      return false;
    }
    become(State.STEADY);
    next.close();
    next = null;
    nextKind = null;
    return true;
  }

  /** Revokes all rings. The peer's landed frames were read. */
  void close() {
    become(State.CLOSED);
    region.close();
    if (next != null) {
      next.close();
    }
  }
}
