package io.railflux.metrics;

import java.time.Duration;

/**
 * What is known of one path to a peer.
 *
 * @param path its number: a path that was lost and is made again keeps it
 * @param rail fabric and place among the node's rails, such as {@code tcp#1}
 * @param remote where it leads to
 * @param available whether it carries traffic now
 * @param protection what protects what travels over it
 * @param weight its part of what is sent, by the striping policy; those of all available paths are 1 together
 * @param load what it moved
 * @param faults what went wrong
 */
public record RailStatus(
    int path,
    String rail,
    String remote,
    boolean available,
    String protection,
    double weight,
    Load load,
    Faults faults) {

  /** One line, for people. */
  @Override
  public String toString() {
    String sent = "%.1f MB, %,d stripes".formatted(load.bytes / 1e6, load.stripes);
    String lost = faults.losses == 0
        ? ""
        : ", lost %d times, %d frames sent again, last: %s"
            .formatted(faults.losses, faults.framesReplayed, faults.lastLoss);
    String now = available
        ? "%.0f %%, %.1f MB/s, answers in %d µs, "
            .formatted(100 * weight, load.bytesPerSecond / 1e6, load.answer.toNanos() / 1_000)
        : "not there, ";
    return "path %d, %s to %s: ".formatted(path, rail, remote) + now + sent + lost;
  }

  /**
   * What a path moved from here since the session began.
   *
   * @param bytes of frames and of large messages
   * @param stripes pieces of large messages written, at most 256 KiB each
   * @param bytesPerSecond of those pieces, lately; 0 when none was written
   * @param answer from a frame to the peer's word that it was read, lately; zero when unknown
   */
  public record Load(long bytes, long stripes, double bytesPerSecond, Duration answer) {}

  /**
   * What went wrong with a path since the session began.
   *
   * @param losses how often it was lost
   * @param framesReplayed frames it had taken that were sent again, over others
   * @param lastLoss why it was lost last; empty when it never was
   */
  public record Faults(long losses, long framesReplayed, String lastLoss) {}
}
