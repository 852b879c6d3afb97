package io.railflux.engine;

import io.railflux.metrics.RailStatus;
import java.time.Duration;
import java.util.Arrays;

/**
 * A way to a peer, whichever subchannel carries it now, and what is known of it. Changed on the engine thread with
 * plain stores; others read it for people, to whom a slightly old value is as good.
 */
final class Path {

  final int number;
  final Rail rail;
  final String remoteHost;

  /** Of the subchannel that carried it first: both sides count rails by that. */
  final int firstId;

  /** Among the rails to the peer, by {@link PathRepository}. */
  int railPlace;

  private volatile PathState state = PathState.UNAVAILABLE;
  private volatile Subchannel carrier;
  private int lastId;

  // Of carriers there were before.
  private long pastBytes;
  private long pastStripes;
  private long losses;
  private long framesReplayed;
  private String lastLoss = "";

  // Bytes at the last looks, and what part of all paths' was this one's since the first of them.
  private final long[] bytesAtLooks = new long[LastSecond.LOOKS];
  private double share;

  /** As that subchannel leads there. */
  Path(int number, Subchannel first) {
    this.number = number;
    this.rail = first.rail;
    this.remoteHost = first.endpoint.remoteHost();
    this.firstId = first.id;
  }

  /** Whether both lead from the same fabric to the same address of the peer. */
  boolean sharesRail(Path other) {
    return rail == other.rail && remoteHost.equals(other.remoteHost);
  }

  PathState state() {
    return state;
  }

  private void become(PathState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("path " + number + ": " + state + " cannot become " + next);
    }
    state = next;
  }

  boolean isAvailable() {
    return state == PathState.AVAILABLE;
  }

  /** Whether a subchannel that joined is this path come back. */
  boolean isFreeFor(Subchannel joined) {
    return isFreeOn(joined.rail) && remoteHost.equals(joined.endpoint.remoteHost());
  }

  boolean isFreeOn(Rail other) {
    return !isAvailable() && rail == other;
  }

  /** Whether that subchannel carries it, or did last. */
  boolean wasCarriedBy(int subchannelId) {
    return lastId == subchannelId;
  }

  void joined(Subchannel subchannel) {
    carrier = subchannel;
    lastId = subchannel.id;
    become(PathState.AVAILABLE);
  }

  void lost(String reason) {
    addUp();
    if (carrier.givenUp == null) {
      losses++;
      lastLoss = reason;
    }
    become(PathState.RECOVERING);
  }

  /** The session is over, and with it all that is under way. */
  void ended() {
    if (isAvailable()) {
      addUp();
      become(PathState.RECOVERING);
    }
    settled(carrier);
    share = 0;
  }

  private void addUp() {
    pastBytes += carrier.sentBytes();
    pastStripes += carrier.lane().writtenChunks();
  }

  /** Frames that a subchannel had taken have to be sent again. */
  void replayed(int frames) {
    framesReplayed += frames;
  }

  /** Both sides know what a lost subchannel had delivered; another one may carry the path already. */
  void settled(Subchannel lost) {
    if (carrier == lost && state == PathState.RECOVERING) {
      become(PathState.UNAVAILABLE);
      carrier = null;
    }
  }

  private long bytes() {
    return isAvailable() ? pastBytes + carrier.sentBytes() : pastBytes;
  }

  /** What it moved so far is nothing that looks tell of. */
  void beginLooking() {
    Arrays.fill(bytesAtLooks, bytes());
  }

  void look(int place) {
    bytesAtLooks[place] = bytes();
  }

  long movedSince(int place) {
    return bytes() - bytesAtLooks[place];
  }

  /** @param allBytes what all paths moved since the look at that place */
  void shareOf(long allBytes, int place) {
    share = allBytes == 0 ? 0 : (double) movedSince(place) / allBytes;
  }

  /**
   * Any thread.
   *
   * @param alone whether there is no other path to the peer
   */
  RailStatus status(boolean alone) {
    Subchannel now = carrier;
    PathState current = state;
    boolean available = current == PathState.AVAILABLE && now != null;
    double part = alone && available ? 1 : share;
    return new RailStatus(
        number,
        rail.toString(),
        available ? now.endpoint.remoteDescription() : remoteHost,
        available ? RailStatus.State.AVAILABLE : lost(current),
        available ? now.protection() : "",
        available ? now.weight : 0,
        available ? load(now, part) : load(part),
        new RailStatus.Faults(losses, framesReplayed, lastLoss));
  }

  private static RailStatus.State lost(PathState state) {
    return state == PathState.RECOVERING
        ? RailStatus.State.RECOVERING
        : RailStatus.State.UNAVAILABLE;
  }

  private RailStatus.Load load(Subchannel now, double part) {
    BulkLane lane = now.lane();
    return new RailStatus.Load(
        pastBytes + now.sentBytes(),
        pastStripes + lane.writtenChunks(),
        part,
        lane.writtenBytesPerNano() * 1e9,
        Duration.ofNanos(now.answerNanos()));
  }

  private RailStatus.Load load(double part) {
    return new RailStatus.Load(pastBytes, pastStripes, part, 0, Duration.ZERO);
  }

  @Override
  public String toString() {
    return rail + (remoteHost.isEmpty() ? "" : " to " + remoteHost);
  }
}
