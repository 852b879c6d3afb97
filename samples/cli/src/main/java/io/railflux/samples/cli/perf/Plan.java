package io.railflux.samples.cli.perf;

import io.railflux.Railflux;
import io.railflux.samples.cli.shell.Network;

/**
 * What to measure, for how long.
 *
 * @param seconds measured time; with a bare ring beside it, as much again for that
 */
record Plan(Network network, Workload workload, int sizeBytes, int seconds, boolean raw) {

  static final int MAX_SIZE_BYTES = 1 << 30;
  private static final int LONG_RUN_SECONDS = 10;

  String fabric() {
    return network.fabric();
  }

  /** Odd, so that the median is one of them. */
  int rounds() {
    return seconds >= LONG_RUN_SECONDS ? 5 : 3;
  }

  long roundNanos() {
    return seconds * 1_000_000_000L / rounds();
  }

  /**
   * Each of the rounds that warm up takes half of it. The second compiler takes up to half a minute beside two busy
   * threads on two processors; a shorter run is not worth as much warming as measuring.
   */
  long warmUpNanos() {
    return Math.min(10_000_000_000L, seconds * 500_000_000L);
  }

  Railflux node(String name) {
    return network.node(name);
  }
}
