package io.railflux.metrics;

import java.time.Duration;

/**
 * What is known of one path to a peer.
 *
 * @param path its number: a path that was lost and is made again keeps it
 * @param rail fabric and place among the node's rails, such as {@code tcp#1}
 * @param remote where it leads to
 * @param state whether it carries traffic now
 * @param protection what protects what travels over it
 * @param weight its part of what is sent, by the striping policy; those of all available paths are 1 together
 * @param load what it moved
 * @param faults what went wrong
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

  /** Whether a path may be used. */
  public enum State {
    /** It carries traffic. */
    AVAILABLE,
    /** It was lost, and both sides have not settled yet what was: that takes a path, this one or another. */
    RECOVERING,
    /** It was lost, and nothing of it is left to settle. As long as the session lasts it is tried to make it again. */
    UNAVAILABLE
  }

  /** Whether it carries traffic now. */
  public boolean available() {
    return state == State.AVAILABLE;
  }

  /** One line, for people. */
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
      case UNAVAILABLE -> "not there, ";
    };
  }

  /**
   * What a path moved from here since the session began.
   *
   * @param bytes of frames and of large messages
   * @param stripes pieces of large messages written, at most 256 KiB each
   * @param share of all that went to the peer within about the last second, signs of life included, 0 to 1; 1 of the only
   *     path there is
   * @param bytesPerSecond of those pieces, lately; 0 when none was written
   * @param answer from a frame to the peer's word that it was read, lately; zero when unknown
   */
  public record Load(
      long bytes, long stripes, double share, double bytesPerSecond, Duration answer) {}

  /**
   * What went wrong with a path since the session began.
   *
   * @param losses how often it was lost
   * @param framesReplayed frames it had taken that were sent again, over others
   * @param lastLoss why it was lost last; empty when it never was
   */
  public record Faults(long losses, long framesReplayed, String lastLoss) {}
}
