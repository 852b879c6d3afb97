package io.railflux.lab;

import java.util.Map;

/**
 * The result of several simulated runs.
 * @param violations seeds that violated an invariant
 * @param firstFailingSeed the first of these seeds; undefined without violations
 * @param faults injected faults by kind, so that an empty run is visible
 * @param replays frames that were sent again after the loss of an endpoint
 * @param duplicatesDropped frames that arrived twice and were delivered once
 * @param virtualSeconds virtual duration of all runs
 * @param wallSeconds elapsed time
 */
public record SimulationReport(
    int seeds,
    int violations,
    long firstFailingSeed,
    Map<String, Long> faults,
    long replays,
    long duplicatesDropped,
    double virtualSeconds,
    double wallSeconds) {

  /** Returns whether every run kept every invariant. */
  public boolean passed() {
    return violations == 0 && seeds > 0;
  }
}
