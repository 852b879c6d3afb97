package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;

/**
 * What both sides of a pair agree on.
 *
 * @param roundTrip whether the far side sends back what comes; else it counts
 * @param work of who receives
 */
public record Job(boolean roundTrip, int sizeBytes, Work work) {

  Reading reading() {
    return new Reading(work, sizeBytes);
  }
}
