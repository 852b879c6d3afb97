package io.railflux.metrics;

import java.time.Duration;

/**
 * State of one path to a peer.
 *
 * @param path number of the path; a restored path keeps it
 * @param rail fabric and index among the rails of the node, such as {@code tcp#1}
 * @param remote remote address
 * @param state whether the path carries traffic
 * @param protection protection of the traffic, as text for people
 * @param weight share of the path by the striping policy; the weights of all available paths add up to 1
 * @param load traffic of the path
 * @param faults failures of the path
 */
public record RailStatus(
    int path,
    String rail,
    String remote,
    State state,
    String protection,
    double weight,
    Load load,
    Faults faults) {

  /** State of a path. */
  public enum State {
    /** The path carries traffic. */
    AVAILABLE,
    /** The path is lost, and its frames are not settled. Settling needs this or another path. */
    RECOVERING,
    /** The path is lost and settled. The node connects it again during the session. */
    UNAVAILABLE
  }

  /**
   * Returns whether the path carries traffic.
   *
   * @return true in state {@link State#AVAILABLE}
   */
  public boolean available() {
    return state == State.AVAILABLE;
  }

  /** One line of text for people. */
  @Override
  public String toString() {
    String sent = "%.1f MB, %,d stripes".formatted(load.bytes / 1e6, load.stripes);
    String lost = faults.losses == 0
        ? ""
        : ", lost %d times, %d frames sent again, last: %s"
            .formatted(faults.losses, faults.framesReplayed, faults.lastLoss);
    return "path %d, %s to %s: ".formatted(path, rail, remote) + now() + sent + lost;
  }

  private String now() {
    return switch (state) {
      case AVAILABLE ->
        "weight %.0f %%, %.0f %% of the last second, %.1f MB/s, answers in %d µs, "
            .formatted(
                100 * weight,
                100 * load.share,
                load.bytesPerSecond / 1e6,
                load.answer.toNanos() / 1_000);
      case RECOVERING -> "recovering, ";
      case UNAVAILABLE -> "unavailable, ";
    };
  }

  /**
   * Traffic of a path from this node since the session began.
   *
   * @param bytes bytes of frames and of large messages
   * @param stripes pieces of large messages written, at most 256 KiB each
   * @param share share in all bytes to the peer during about the last second, heartbeats included, 0 to 1; 1 for the
   *     only path
   * @param bytesPerSecond recent rate of the pieces; 0 without pieces
   * @param answer recent time from a frame to its acknowledgement; zero if unknown
   */
  public record Load(
      long bytes, long stripes, double share, double bytesPerSecond, Duration answer) {}

  /**
   * Failures of a path since the session began.
   *
   * @param losses number of losses
   * @param framesReplayed frames of the path that were sent again over others
   * @param lastLoss cause of the last loss; empty without a loss
   */
  public record Faults(long losses, long framesReplayed, String lastLoss) {}
}
