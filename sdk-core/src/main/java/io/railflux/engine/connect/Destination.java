package io.railflux.engine.connect;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Pauses;
import io.railflux.engine.base.Rail;
import io.railflux.engine.path.Subchannel;
import java.util.function.Consumer;

/** One connection that the connecting side establishes and re-establishes (FT4). Engine thread only. */
public final class Destination {

  /**
   * State of one wanted connection on the connecting side. Allowed transitions:
   *
   * <pre>
   *   WAITING  --its turn, its pause is over--> TRYING
   *   TRYING   --joined-----------------------> CARRYING
   *   TRYING   --failed-----------------------> WAITING
   *   CARRYING --its subchannel was lost------> WAITING
   *   any      --no longer wanted-------------> REMOVED
   * </pre>
   */
  public enum State {
    /** Not tried yet, or waiting for the next try. */
    WAITING,
    /** A handshake is under way. */
    TRYING,
    /** A subchannel leads to the destination. */
    CARRYING,
    /** Given up permanently. */
    REMOVED;

    public boolean canBecome(State next) {
      return switch (this) {
        case WAITING -> next == TRYING || next == REMOVED;
        case TRYING -> next == CARRYING || next == WAITING || next == REMOVED;
        case CARRYING -> next == WAITING || next == REMOVED;
        case REMOVED -> false;
      };
    }
  }

  public static final int NONE = Subchannel.NO_ID;

  /** An address that never answered may not lead to the peer at all. */
  private static final long LONGEST_AT_FIRST_NANOS = 5_000_000_000L;

  final Rail.Target target;
  private State state = State.WAITING;
  private Subchannel carrier;
  private int lastId = NONE;
  private final Pauses pauses = new Pauses();
  private int tries;
  private boolean byPeer;
  private boolean peerFailed;
  private boolean peerLate;
  private boolean shown;
  private boolean greetsFirst;
  private boolean everJoined;
  private boolean further;
  private Consumer<Boolean> onSettled = joined -> {};
  private String lastHost = "";

  Destination(Rail.Target target) {
    this.target = target;
  }

  State state() {
    return state;
  }

  boolean isRemoved() {
    return state == State.REMOVED;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException(target.location() + ": " + state + " cannot become " + next);
    }
    state = next;
  }

  /** Returns the subchannel that leads to the destination, or null. */
  Subchannel carrier() {
    return carrier;
  }

  /** Releases the carrier: the session ended and its subchannels are closed. */
  void ended() {
    carrier = null;
  }

  /** Returns the number of {@link #carrier} or of the last lost carrier; {@link #NONE} if there never was a carrier. */
  int lastId() {
    return lastId;
  }

  /** @param asFurther see {@link Subchannel#further} */
  void trying(boolean asFurther) {
    become(State.TRYING);
    further = asFurther;
    tries++;
    shown = false;
    greetsFirst = false;
  }

  /** Notes that the current try announces to the peer that no session exists yet. */
  void greetsFirst() {
    greetsFirst = true;
  }

  /** Returns whether the current try cannot join a session that exists by now. */
  boolean isTriedForFirstContact() {
    return state == State.TRYING && greetsFirst;
  }

  /** Returns the number of the current try. Numbers are never reused. */
  int tries() {
    return tries;
  }

  /** Notes that the current try uses an endpoint created by a party that claims to be the peer. */
  void byPeer() {
    byPeer = true;
  }

  /** Notes that the peer may count the current try as connected from here on. */
  void showing() {
    shown = true;
  }

  /**
   * Notes that the peer missed its turn. The peer may be unable to connect, so this side does not wait for it again.
   */
  void peerIsLate() {
    peerLate = true;
  }

  boolean isPeerLate() {
    return peerLate;
  }

  /** Returns whether there is a try that the peer cannot count as connected. */
  boolean isUnshown() {
    return state == State.TRYING && !shown;
  }

  /**
   * Returns whether a peer's endpoint may replace this side's attempt (CM4: the peer has the higher id). After a failed
   * endpoint of this kind, this side's own try is next, as the endpoint may not have been the peer's.
   */
  boolean yields() {
    boolean early = state == State.WAITING || isUnshown();
    return early && !byPeer && !peerFailed;
  }

  boolean isFurther() {
    return further;
  }

  /** Returns whether this connection carries, or is about to carry, messages through its rings. */
  boolean takesMessages() {
    boolean there = state == State.TRYING || state == State.CARRYING;
    return there && !further;
  }

  void joined(Subchannel subchannel) {
    become(State.CARRYING);
    carrier = subchannel;
    peerLate &= !byPeer;
    byPeer = false;
    peerFailed = false;
    lastId = subchannel == null ? NONE : subchannel.id;
    everJoined = true;
    lastHost = subchannel == null ? "" : subchannel.endpoint.remoteHost();
    settle(true);
  }

  /** @param listener receives once whether the destination was joined (true) or removed before (false) */
  void onSettled(Consumer<Boolean> listener) {
    onSettled = listener;
  }

  private void settle(boolean joined) {
    Consumer<Boolean> listener = onSettled;
    onSettled = ignored -> {};
    listener.accept(joined);
  }

  /** Returns the last host of the destination, as named by its fabric; empty before the first connection. */
  String lastHost() {
    return lastHost;
  }

  /** Returns whether the peer was reached here. Otherwise the responding party may not be the peer. */
  boolean hasEverJoined() {
    return everJoined;
  }

  /**
   * Handles the loss of an established connection.
   *
   * @param lastedNanos lifetime of the connection, in nanoseconds
   */
  void lost(long lastedNanos, EngineConfig.RetryPolicy retry) {
    pauses.lost(lastedNanos, retry.maxBackoffNanos());
    failed();
  }

  /** Handles a failed attempt or a lost connection. */
  void failed() {
    become(State.WAITING);
    carrier = null;
    // Invalidates results of the try that are still pending.
    tries++;
    peerFailed = byPeer;
    byPeer = false;
  }

  /** Removes the destination and returns its carrier, or null. */
  Subchannel remove() {
    Subchannel last = carrier;
    become(State.REMOVED);
    carrier = null;
    settle(false);
    return last;
  }

  /**
   * Returns the pause before the next attempt, in nanoseconds. The pause doubles each time and is randomly shortened by
   * up to a half.
   */
  long nextPauseNanos(EngineConfig.RetryPolicy retry, long random) {
    long longest = everJoined
        ? retry.maxBackoffNanos()
        : Math.max(retry.maxBackoffNanos(), LONGEST_AT_FIRST_NANOS);
    return pauses.nextNanos(retry.minBackoffNanos(), longest, random);
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
