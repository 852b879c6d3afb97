package io.railflux.lab;

import java.util.Map;

/**
 * The outcome of one run.
 * @param violation the first violated invariant, or null
 * @param traceHash hash of all events, equal for equal seeds on every JDK
 * @param faults injected faults by kind
 * @param virtualNanos virtual duration of the run
 */
record Outcome(
    String violation,
    long traceHash,
    int rails,
    Map<String, Long> faults,
    Counts counts,
    long virtualNanos) {

  /**
   * Counters of the engines of a run.
   * @param replays replayed frames
   * @param duplicates duplicate frames that were dropped
   * @param resumed sessions that lost an endpoint, replayed and ended cleanly
   * @param restarts sessions that ended because the peer had restarted under the same node name
   * @param delivered messages that reached their subscribers
   * @param deaths sessions that ended because the end of the peer's process was reported
   */
  record Counts(
      long replays, long duplicates, long resumed, long restarts, long delivered, long deaths) {}
}
