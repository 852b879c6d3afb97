package io.railflux.engine;

import io.railflux.engine.Engine.Target;

/** One connection that the connecting side is to have, now or again (FT4). Engine thread only. */
final class Destination {

  private static final int MAX_DOUBLINGS = 30;

  /** An address that never answered may be one that does not lead there. */
  private static final long LONGEST_AT_FIRST_NANOS = 5_000_000_000L;

  final Target target;
  private DestinationState state = DestinationState.WAITING;
  private Subchannel carrier;
  private int failures;
  private boolean everJoined;
  private Runnable onJoined = () -> {};

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

  void trying() {
    become(DestinationState.TRYING);
  }

  void joined(Subchannel subchannel) {
    become(DestinationState.CARRYING);
    carrier = subchannel;
    failures = 0;
    if (!everJoined) {
      everJoined = true;
      onJoined.run();
    }
  }

  void onJoined(Runnable listener) {
    onJoined = listener;
  }

  /** Whether the peer was found there: what answers now may be somebody else. */
  boolean hasEverJoined() {
    return everJoined;
  }

  /** An attempt failed, or what it had made was lost. */
  void failed() {
    become(DestinationState.WAITING);
    carrier = null;
  }

  /** Returns what leads there, or null. */
  Subchannel remove() {
    Subchannel last = carrier;
    become(DestinationState.REMOVED);
    carrier = null;
    return last;
  }

  /** Until the next attempt: twice as long each time, and up to a half shorter by chance. */
  long nextPauseNanos(EngineConfig.Again again, long random) {
    int doublings = Math.min(failures++, MAX_DOUBLINGS);
    long longest = everJoined
        ? again.longestPauseNanos()
        : Math.max(again.longestPauseNanos(), LONGEST_AT_FIRST_NANOS);
    boolean grown = longest >> doublings < again.firstPauseNanos();
    long pause = grown ? longest : again.firstPauseNanos() << doublings;
    return pause / 2 + Math.floorMod(random, pause / 2 + 1);
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
