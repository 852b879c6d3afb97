package io.railflux.engine;

import io.railflux.engine.Engine.Target;
import java.util.function.Consumer;

/** One connection that the connecting side is to have, now or again (FT4). Engine thread only. */
final class Destination {

  static final int NONE = -1;

  /** An address that never answered may be one that does not lead there. */
  private static final long LONGEST_AT_FIRST_NANOS = 5_000_000_000L;

  final Target target;
  private DestinationState state = DestinationState.WAITING;
  private Subchannel carrier;
  private int lastId = NONE;
  private final Pauses pauses = new Pauses();
  private int tries;
  private boolean byPeer;
  private boolean peerFailed;
  private boolean peerLate;
  private boolean shown;
  private boolean everJoined;
  private boolean further;
  private Consumer<Boolean> onSettled = joined -> {};
  private String lastHost = "";

  Destination(Target target) {
    this.target = target;
  }

  DestinationState state() {
    return state;
  }

  boolean isRemoved() {
    return state == DestinationState.REMOVED;
  }

  private void become(DestinationState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException(target.location() + ": " + state + " cannot become " + next);
    }
    state = next;
  }

  /** The subchannel that leads there, or null. */
  Subchannel carrier() {
    return carrier;
  }

  /** Number of {@link #carrier}, or of the one that was lost; {@link #NONE} when there never was one. */
  int lastId() {
    return lastId;
  }

  /** @param asFurther see {@link Subchannel#further} */
  void trying(boolean asFurther) {
    become(DestinationState.TRYING);
    further = asFurther;
    tries++;
    shown = false;
  }

  /** Number of the try under way; no other one ever has it. */
  int tries() {
    return tries;
  }

  /** The try under way is over an endpoint that somebody made who says that he is the peer. */
  void byPeer() {
    byPeer = true;
  }

  /** From now on the peer may count what is being tried as there. */
  void showing() {
    shown = true;
  }

  /** It did not come in its turn: it may not be able to, so this side does not wait for it again. */
  void peerIsLate() {
    peerLate = true;
  }

  boolean isPeerLate() {
    return peerLate;
  }

  /** Whether there is a try that the peer cannot count as there. */
  boolean isUnshown() {
    return state == DestinationState.TRYING && !shown;
  }

  /**
   * Whether an endpoint that the peer made may take the place of what this side does (CM4: its id is the higher). Where
   * that came to nothing, this side's own try is next: it may have been somebody else's.
   */
  boolean yields() {
    boolean early = state == DestinationState.WAITING || isUnshown();
    return early && !byPeer && !peerFailed;
  }

  boolean isFurther() {
    return further;
  }

  /** Whether its connection is, or is about to be, the one whose rings messages go through. */
  boolean takesMessages() {
    boolean there = state == DestinationState.TRYING || state == DestinationState.CARRYING;
    return there && !further;
  }

  void joined(Subchannel subchannel) {
    become(DestinationState.CARRYING);
    carrier = subchannel;
    peerLate &= !byPeer;
    byPeer = false;
    peerFailed = false;
    lastId = subchannel == null ? NONE : subchannel.id;
    pauses.reset();
    everJoined = true;
    lastHost = subchannel == null ? "" : subchannel.endpoint.remoteHost();
    settle(true);
  }

  /** @param listener hears once whether it was joined, or removed before */
  void onSettled(Consumer<Boolean> listener) {
    onSettled = listener;
  }

  private void settle(boolean joined) {
    Consumer<Boolean> listener = onSettled;
    onSettled = nobody -> {};
    listener.accept(joined);
  }

  /** Where it led last, as its fabric names hosts; empty before. */
  String lastHost() {
    return lastHost;
  }

  /** Whether the peer was found there: what answers now may be somebody else. */
  boolean hasEverJoined() {
    return everJoined;
  }

  /** An attempt failed, or what it had made was lost. */
  void failed() {
    become(DestinationState.WAITING);
    carrier = null;
    // What is still under way of it counts no more.
    tries++;
    peerFailed = byPeer;
    byPeer = false;
  }

  /** Returns what leads there, or null. */
  Subchannel remove() {
    Subchannel last = carrier;
    become(DestinationState.REMOVED);
    carrier = null;
    settle(false);
    return last;
  }

  /** Until the next attempt: twice as long each time, and up to a half shorter by chance. */
  long nextPauseNanos(EngineConfig.Again again, long random) {
    long longest = everJoined
        ? again.longestPauseNanos()
        : Math.max(again.longestPauseNanos(), LONGEST_AT_FIRST_NANOS);
    return pauses.nextNanos(again.firstPauseNanos(), longest, random);
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
