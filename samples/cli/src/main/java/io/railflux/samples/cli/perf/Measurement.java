package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Sample;

/** A way to carry messages that runs repeatedly for a given time. */
interface Measurement {

  /**
   * Runs one round.
   * @param round number of the round, unique in this session
   */
  Sample run(int round, long nanos);

  /** Runs the measured path until it is compiled. */
  default void warmUp(int round, long nanos) {
    run(round, nanos);
  }
}
