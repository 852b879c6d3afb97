package io.railflux.engine;

import io.railflux.metrics.RailStatus;
import java.time.Duration;

/** A way to a peer, whichever subchannel carries it now, and what is known of it. Engine thread only. */
final class Path {

  final int number;
  final Rail rail;
  final String remoteHost;
  private PathState state = PathState.UNAVAILABLE;
  private Subchannel carrier;

  // Of carriers there were before.
  private long pastBytes;
  private long pastStripes;
  private long losses;
  private long framesReplayed;
  private String lastLoss = "";

  Path(int number, Rail rail, String remoteHost) {
    this.number = number;
    this.rail = rail;
    this.remoteHost = remoteHost;
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
    return !isAvailable() && rail == joined.rail && remoteHost.equals(joined.endpoint.remoteHost());
  }

  boolean isCarriedBy(Subchannel subchannel) {
    return carrier == subchannel;
  }

  void joined(Subchannel subchannel) {
    become(PathState.AVAILABLE);
    carrier = subchannel;
  }

  void lost(String reason) {
    become(PathState.RECOVERING);
    losses++;
    lastLoss = reason;
    pastBytes += carrier.sentBytes();
    pastStripes += carrier.lane().writtenChunks();
  }

  void replayed(int frames) {
    framesReplayed += frames;
  }

  /** Both sides know what it had delivered: nothing refers to the subchannel any more. */
  void settled() {
    become(PathState.UNAVAILABLE);
    carrier = null;
  }

  /** @param weight by the striping policy; of a path that is not available, 0 */
  RailStatus status(double weight) {
    return new RailStatus(
        number,
        rail.toString(),
        isAvailable() ? carrier.endpoint.remoteDescription() : remoteHost,
        isAvailable(),
        isAvailable() ? carrier.protection() : "",
        weight,
        load(),
        new RailStatus.Faults(losses, framesReplayed, lastLoss));
  }

  private RailStatus.Load load() {
    if (!isAvailable()) {
      return new RailStatus.Load(pastBytes, pastStripes, 0, Duration.ZERO);
    }
    BulkLane lane = carrier.lane();
    return new RailStatus.Load(
        pastBytes + carrier.sentBytes(),
        pastStripes + lane.writtenChunks(),
        lane.writtenBytesPerNano() * 1e9,
        Duration.ofNanos(carrier.answerNanos()));
  }

  @Override
  public String toString() {
    return rail + (remoteHost.isEmpty() ? "" : " to " + remoteHost);
  }
}
