package io.railflux.samples.cli.stat;

import io.railflux.metrics.RailStatus;
import java.util.Locale;

/**
 * The state of one path of a process to one peer.
 * @param answerMicros time from a frame to the acknowledgement that it was read; 0 if unknown
 * @param share share of this path in all bytes to the peer within the last second, 0 to 1
 */
public record RailLine(
    String peer,
    int path,
    String rail,
    String remote,
    boolean available,
    String state,
    double weight,
    double megabytesPerSecond,
    double answerMicros,
    long bytes,
    long stripes,
    double share,
    long losses,
    long framesReplayed,
    String lastLoss) {

  private static final double ROUNDING = 1e3;

  static RailLine of(String peer, RailStatus rail) {
    return new RailLine(
        peer,
        rail.path(),
        rail.rail(),
        rail.remote(),
        rail.available(),
        rail.state().name().toLowerCase(Locale.ROOT),
        rounded(rail.weight()),
        rounded(rail.load().bytesPerSecond() / 1e6),
        rounded(rail.load().answer().toNanos() / 1e3),
        rail.load().bytes(),
        rail.load().stripes(),
        rounded(rail.load().share()),
        rail.faults().losses(),
        rail.faults().framesReplayed(),
        rail.faults().lastLoss());
  }

  private static double rounded(double value) {
    return Math.round(value * ROUNDING) / ROUNDING;
  }

  static final String HEADINGS = "%-16s %4s %-8s %-24s %-11s %6s %6s %9s %10s %11s %8s %6s %8s"
      .formatted(
          "peer",
          "path",
          "rail",
          "to",
          "state",
          "weight",
          "share",
          "MB/s",
          "answers us",
          "MB sent",
          "stripes",
          "losses",
          "replayed");

  /** Formats the columns under {@link #HEADINGS}. */
  @Override
  public String toString() {
    return "%-16s %4d %-8s %-24s %-11s %5.0f%% %5.0f%% %9.1f %10.1f %11.1f %8d %6d %8d"
        .formatted(
            peer,
            path,
            rail,
            remote,
            state,
            100 * weight,
            100 * share,
            megabytesPerSecond,
            answerMicros,
            bytes / 1e6,
            stripes,
            losses,
            framesReplayed);
  }
}
