package io.railflux.samples.cli.demo;

import java.io.PrintWriter;

/**
 * What came of a run.
 *
 * @param source memory of that process, {@code sink} of this one
 */
record Summary(DemoResult result, Footprint source, Footprint sink) {

  void print(PrintWriter out, DemoPlan plan) {
    out.printf(
        "sent      %,d events over %s in %.1f s, %,.0f a second%n",
        result.sent(), result.fabric(), result.seconds(), result.sent() / result.seconds());
    out.printf(
        "received  %,d, lost %d, duplicated %d, reordered %d, checksums %s%n",
        result.received(),
        result.lost(),
        result.duplicated(),
        result.reordered(),
        result.checksumOk() ? "equal" : "DIFFER");
    out.printf("delay     p50 %,.1f µs, p99 %,.1f µs%n", result.p50Micros(), result.p99Micros());
    out.printf("memory    source %s%n", text(source));
    out.printf("          sink   %s%n", text(sink));
    out.printf("credits   the source waited %,d times for more%n", result.creditStallsAtSource());
    if (plan.output() != null) {
      out.printf("proof     cmp %s %s%n", plan.input(), plan.output());
    }
  }

  private static String text(Footprint memory) {
    return String.format(
        "%.0f MiB when warm, %.0f MiB at the end", memory.warmMiB(), memory.lastMiB());
  }
}
