package io.railflux.samples.cli.perf;

import org.HdrHistogram.Histogram;

/** Percentiles that are reported only on request. */
record Tail(Double p90Micros, Double p9999Micros, Double maxMicros) {

  static Tail of(Histogram due) {
    return new Tail(
        PerfResult.micros(due, 90), PerfResult.micros(due, 99.99), PerfResult.micros(due, 100));
  }
}
