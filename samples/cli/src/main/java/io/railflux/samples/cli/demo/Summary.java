package io.railflux.samples.cli.demo;

import java.io.PrintWriter;

/**
 * The summary of a run.
 * @param sourceMemory memory of the source as text
 * @param sinkMemory memory of the sink as text
 */
record Summary(DemoResult result, String sourceMemory, String sinkMemory) {

  /** Returns the summary for a source on another host. */
  static Summary of(DemoResult result) {
    return new Summary(result, atTheEnd(result.sourceRssMiB()), atTheEnd(result.sinkRssMiB()));
  }

  private static String atTheEnd(double mebibytes) {
    return String.format("%.0f MiB at the end", mebibytes);
  }

  /**
   * @param proof the command that compares the files, or null
   */
  void print(PrintWriter out, String proof) {
    out.printf(
        "sent      %,d events over %s in %.1f s, %,.0f a second%n",
        result.sent(), result.fabric(), result.seconds(), result.eventsPerSecond());
    out.printf(
        "received  %,d, lost %d, duplicated %d, reordered %d, checksums %s%n",
        result.received(),
        result.lost(),
        result.duplicated(),
        result.reordered(),
        result.checksumOk() ? "equal" : "DIFFER");
    out.printf("delay     %s%n", result.delay());
    out.printf("memory    source %s%n", sourceMemory);
    out.printf("          sink   %s%n", sinkMemory);
    out.printf("credits   the source waited %d times for demand%n", result.creditStallsAtSource());
    if (proof != null) {
      out.printf("proof     %s%n", proof);
    }
  }
}
