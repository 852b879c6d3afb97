package io.railflux.engine.path;

import io.railflux.engine.base.Pauses;
import io.railflux.engine.base.Rail;
import io.railflux.metrics.RailStatus;
import java.time.Duration;
import java.util.Arrays;

/**
 * A path to a peer and its history, independent of its current subchannel. The engine thread changes it with plain
 * stores. Other threads read it for people and accept slightly old values.
 */
public final class Path {

  /**
   * Whether a path may be used (FT2: V 10.3.2). Allowed transitions:
   *
   * <pre>
   *   AVAILABLE   --subchannel failed--------------> RECOVERING
   *   RECOVERING  --frames settled with the peer---> UNAVAILABLE
   *   RECOVERING  --another subchannel joined------> AVAILABLE
   *   UNAVAILABLE --another subchannel joined------> AVAILABLE
   * </pre>
   */
  public enum State {
    /** A live subchannel carries traffic. */
    AVAILABLE,
    /** The subchannel is fenced; frames that the peer did not receive are sent again over other paths. */
    RECOVERING,
    /** Only the path's history is left. */
    UNAVAILABLE;

    public boolean canBecome(State next) {
      return switch (this) {
        case AVAILABLE -> next == RECOVERING;
        case RECOVERING -> next == UNAVAILABLE || next == AVAILABLE;
        case UNAVAILABLE -> next == AVAILABLE;
      };
    }
  }

  public final int number;
  public final Rail rail;
  public final String remoteHost;

  /** Number of the first subchannel of the path, by which both sides count rails. */
  final int firstId;

  /** Pauses between attempts of the accepting side to restore the path. */
  public final Pauses pauses = new Pauses();

  /** Place among the rails to the peer, set by {@link PathRepository}. */
  int railPlace;

  private volatile State state = State.UNAVAILABLE;
  private volatile Subchannel carrier;
  private int lastId;

  // Totals of former carriers.
  private long pastBytes;
  private long pastStripes;
  private long losses;
  private long framesReplayed;
  private String lastLoss = "";

  // Bytes at the last looks, and the share of this path in all paths since the first of these
  // looks.
  private final long[] bytesAtLooks = new long[PathRepository.LastSecond.LOOKS];
  private double share;

  /** Creates the path of the subchannel. */
  Path(int number, Subchannel first) {
    this.number = number;
    this.rail = first.rail;
    this.remoteHost = first.endpoint.remoteHost();
    this.firstId = first.id;
  }

  /** Whether both paths lead from the same fabric to the same address of the peer. */
  boolean sharesRail(Path other) {
    return rail == other.rail && remoteHost.equals(other.remoteHost);
  }

  State state() {
    return state;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("path " + number + ": " + state + " cannot become " + next);
    }
    state = next;
  }

  boolean isAvailable() {
    return state == State.AVAILABLE;
  }

  /** Whether the joined subchannel restores this path. */
  boolean isFreeFor(Subchannel joined) {
    return isFreeOn(joined.rail) && remoteHost.equals(joined.endpoint.remoteHost());
  }

  boolean isFreeOn(Rail other) {
    return !isAvailable() && rail == other;
  }

  /** Whether the subchannel carries the path, or carried it last. */
  boolean wasCarriedBy(int subchannelId) {
    return lastId == subchannelId;
  }

  void joined(Subchannel subchannel) {
    carrier = subchannel;
    lastId = subchannel.id;
    become(State.AVAILABLE);
  }

  void lost(String reason) {
    addUp();
    if (!carrier.isGivenUp()) {
      losses++;
      lastLoss = reason;
    }
    become(State.RECOVERING);
  }

  /** Ends the path with its session. */
  void ended() {
    if (isAvailable()) {
      addUp();
      become(State.RECOVERING);
    }
    settled(carrier);
    share = 0;
  }

  private void addUp() {
    pastBytes += carrier.sentBytes();
    pastStripes += carrier.lane().writtenChunks();
  }

  /** Counts frames of a lost subchannel that have to be sent again. */
  public void replayed(int frames) {
    framesReplayed += frames;
  }

  /** Both sides know the delivered frames of a lost subchannel; another subchannel may carry the path already. */
  void settled(Subchannel lost) {
    if (carrier == lost && state == State.RECOVERING) {
      become(State.UNAVAILABLE);
      carrier = null;
    }
  }

  private long bytes() {
    return isAvailable() ? pastBytes + carrier.sentBytes() : pastBytes;
  }

  /** Excludes earlier traffic from the looks. */
  void beginLooking() {
    Arrays.fill(bytesAtLooks, bytes());
  }

  void look(int place) {
    bytesAtLooks[place] = bytes();
  }

  long movedSince(int place) {
    return bytes() - bytesAtLooks[place];
  }

  /** @param allBytes bytes of all paths since the look at {@code place} */
  void shareOf(long allBytes, int place) {
    share = allBytes == 0 ? 0 : (double) movedSince(place) / allBytes;
  }

  /**
   * Any thread.
   *
   * @param alone whether no other path to the peer exists
   */
  RailStatus status(boolean alone) {
    Subchannel now = carrier;
    State current = state;
    boolean available = current == State.AVAILABLE && now != null;
    double part = alone && available ? 1 : share;
    return new RailStatus(
        number,
        rail.toString(),
        available ? now.endpoint.remoteDescription() : remoteHost,
        available ? RailStatus.State.AVAILABLE : lost(current),
        available ? now.protection() : "",
        available ? now.weight() : 0,
        available ? load(now, part) : load(part),
        new RailStatus.Faults(losses, framesReplayed, lastLoss));
  }

  private static RailStatus.State lost(State state) {
    return state == State.RECOVERING ? RailStatus.State.RECOVERING : RailStatus.State.UNAVAILABLE;
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
