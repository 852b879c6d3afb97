package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;

/**
 * What both sides of a pair agree on.
 *
 * @param work of who receives
 */
public record Job(Exchange exchange, int sizeBytes, Work work) {

  /** Whether the far side sends back what comes; else it counts. */
  boolean roundTrip() {
    return exchange == Exchange.ROUND_TRIP;
  }

  Reading reading() {
    return new Reading(work, sizeBytes);
  }
}
