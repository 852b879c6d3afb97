package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;

/**
 * The parameters on which both sides of a pair agree.
 * @param work of the receiver
 */
public record Job(Exchange exchange, int sizeBytes, Work work) {

  /** Returns whether the far side returns messages. Otherwise it counts them. */
  boolean roundTrip() {
    return exchange == Exchange.ROUND_TRIP || exchange.sleeps();
  }

  /** Returns the pause before each message of the near side. */
  long pauseNanos() {
    return exchange.sleeps() ? Pace.ASLEEP_NANOS : 0;
  }

  Reading reading() {
    return new Reading(work, sizeBytes);
  }
}
