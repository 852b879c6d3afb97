package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Sample;

/** A way to carry messages that can be run for a while, again and again. */
interface Measurement {

  /**
   * Runs one round.
   *
   * @param round tells it from all others of this session
   */
  Sample run(int round, long nanos);

  /** Runs what it measures until that is compiled. */
  default void warmUp(int round, long nanos) {
    run(round, nanos);
  }
}
