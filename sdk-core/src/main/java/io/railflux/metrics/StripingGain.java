package io.railflux.metrics;

import java.util.List;

/** Explains why several rails bring no gain. */
public final class StripingGain {

  /** If one rail has at least this weight, the other rails bring no gain. */
  private static final double ALL_BUT_NOTHING = 0.95;

  private StripingGain() {}

  /**
   * Explains why several rails of one peer are no faster than one.
   *
   * @param rails state of all paths to the peer
   * @return a clause for people, without a full stop; empty if the rails bring a gain, as far as known
   */
  public static String missing(List<RailStatus> rails) {
    List<RailStatus> used = rails.stream().filter(RailStatus::available).toList();
    if (used.size() < 2) {
      return "";
    }
    if (used.stream().allMatch(rail -> rail.load().stripes() == 0)) {
      return "no message was large enough to cut or to measure";
    }
    for (RailStatus rail : used) {
      if (rail.weight() >= ALL_BUT_NOTHING) {
        return "%s to %s alone carries %.0f %% of the total rate"
            .formatted(rail.rail(), rail.remote(), 100 * rail.weight());
      }
    }
    return oneHost(used)
        ? "all rails lead to one address of the peer, and so through one of its interfaces"
        : "";
  }

  private static boolean oneHost(List<RailStatus> used) {
    return used.stream().map(rail -> host(rail.remote())).distinct().count() == 1;
  }

  private static String host(String remote) {
    int port = remote.lastIndexOf(':');
    return port < 0 ? remote : remote.substring(0, port);
  }
}
