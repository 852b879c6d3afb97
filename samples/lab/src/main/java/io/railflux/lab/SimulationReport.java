package io.railflux.lab;

import java.util.Map;

/**
 * What a number of simulated runs came to.
 *
 * @param violations seeds that violated an invariant
 * @param firstFailingSeed the first of them; meaningless when there are no violations
 * @param faults injected faults by kind, so that an empty run is visible
 * @param replays frames sent again after an endpoint was lost
 * @param duplicatesDropped frames that arrived twice and were delivered once
 * @param virtualSeconds time that passed in the simulations
 * @param wallSeconds time that passed outside
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

  /** Whether every run kept every invariant. */
  public boolean passed() {
    return violations == 0 && seeds > 0;
  }
}
