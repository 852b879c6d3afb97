package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
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
    return exchange == Exchange.ROUND_TRIP || exchange.sleeps();
  }

  /** Before each message of the near side. */
  long pauseNanos() {
    return exchange.sleeps() ? Pace.ASLEEP_NANOS : 0;
  }

  Reading reading() {
    return new Reading(work, sizeBytes);
  }
}
