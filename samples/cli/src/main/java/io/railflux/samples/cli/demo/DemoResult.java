package io.railflux.samples.cli.demo;

import io.railflux.Route;
import io.railflux.message.Codecs;
import io.railflux.samples.cli.shell.Json;

/**
 * The JSON output.
 * @param p50Micros delay from source to sink; null between hosts, which share no clock
 */
record DemoResult(
    String fabric,
    double seconds,
    long sent,
    long received,
    long lost,
    long duplicated,
    long reordered,
    boolean checksumOk,
    Double p50Micros,
    Double p99Micros,
    double sourceRssMiB,
    double sinkRssMiB,
    long creditStallsAtSource) {

  /** The sink answers after it verified everything. */
  static final Route<Boolean, String> ROUTE =
      new Route<>("demo.result", Codecs.bool(), Codecs.utf8());

  static DemoResult parse(String line) {
    return Json.parse(line, DemoResult.class);
  }

  double eventsPerSecond() {
    return seconds == 0 ? sent : sent / seconds;
  }

  String delay() {
    return delay(p50Micros, p99Micros);
  }

  static String delay(Double p50Micros, Double p99Micros) {
    return p50Micros == null
        ? "not measured: two hosts share no clock"
        : String.format("p50 %,.1f µs, p99 %,.1f µs", p50Micros, p99Micros);
  }

  /**
   * Returns the defect, or null if every sent event arrived once, in order and unchanged.
   * @param mayBeEmpty whether a run without events is valid
   */
  String objection(boolean mayBeEmpty) {
    if (sent == 0 && !mayBeEmpty) {
      return "the source had no time to send anything; give it more --seconds";
    }
    boolean flawless =
        sent == received && lost == 0 && duplicated == 0 && reordered == 0 && checksumOk;
    return flawless ? null : "what the sink received is not what the source sent";
  }
}
