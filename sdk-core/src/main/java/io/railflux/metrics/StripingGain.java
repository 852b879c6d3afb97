package io.railflux.metrics;

import java.util.List;

/** Says why several rails are no better than one, where they are not. */
public final class StripingGain {

  /** Below it the others together are not worth their connections. */
  private static final double ALL_BUT_NOTHING = 0.95;

  private StripingGain() {}

  /**
   * Tells why several rails of one peer are no better than one.
   *
   * @return a sentence without its end, for people; empty where they do add up, as far as is known
   */
  public static String missing(List<RailStatus> rails) {
    List<RailStatus> used = rails.stream().filter(RailStatus::available).toList();
    if (used.size() < 2) {
      return "";
    }
    if (used.stream().allMatch(rail -> rail.load().stripes() == 0)) {
      return "no message was large enough to be cut or to be measured by";
    }
    for (RailStatus rail : used) {
      if (rail.weight() >= ALL_BUT_NOTHING) {
        return "%s to %s alone moves %.0f %% of what all of them do"
            .formatted(rail.rail(), rail.remote(), 100 * rail.weight());
      }
    }
    return oneHost(used)
        ? "all of them lead to one address of the peer, and so through one interface of it"
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
