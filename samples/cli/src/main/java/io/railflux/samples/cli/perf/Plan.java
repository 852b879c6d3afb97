package io.railflux.samples.cli.perf;

import io.railflux.Railflux;
import io.railflux.samples.cli.shell.Fabrics;
import io.railflux.samples.cli.shell.Secrecy;

/**
 * What to measure, for how long.
 *
 * @param seconds measured time; with a bare ring beside it, as much again for that
 * @param secrecy what both processes know
 */
record Plan(
    String fabric, Workload workload, int sizeBytes, int seconds, boolean raw, Secrecy secrecy) {

  static final int MAX_SIZE_BYTES = 16 << 20;
  private static final int RING_BYTES = 2 << 20;
  private static final int RING_PER_MESSAGE = 8;
  private static final int LONG_RUN_SECONDS = 10;

  /** Odd, so that the median is one of them. */
  int rounds() {
    return seconds >= LONG_RUN_SECONDS ? 5 : 3;
  }

  long roundNanos() {
    return seconds * 1_000_000_000L / rounds();
  }

  /** Two seconds let the JIT finish; a shorter run is not worth as much warming as measuring. */
  long warmUpNanos() {
    return Math.min(2_000_000_000L, seconds * 500_000_000L);
  }

  Railflux node(String name) {
    int needed = Integer.highestOneBit(Math.max(1, RING_PER_MESSAGE * sizeBytes - 1)) << 1;
    return secrecy.apply(Railflux.create()
        .name(name)
        .fabrics(Fabrics.require(fabric))
        .ringBytes(Math.max(RING_BYTES, needed))
        .maxMessageBytes(Math.max(256 << 10, sizeBytes))
        .messageBudgetBytes(Math.max(64 << 20, sizeBytes)));
  }
}
