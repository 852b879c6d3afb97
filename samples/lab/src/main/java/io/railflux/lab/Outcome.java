package io.railflux.lab;

import java.util.Map;

/**
 * What one run came to.
 *
 * @param violation the first invariant that did not hold, or null
 * @param traceHash of everything that happened, equal for equal seeds on every JDK
 * @param faults injected, by kind
 * @param virtualNanos time that passed in the run
 */
record Outcome(
    String violation,
    long traceHash,
    int rails,
    Map<String, Long> faults,
    Counts counts,
    long virtualNanos) {

  /**
   * What the engines had to do.
   *
   * @param replays frames sent again
   * @param duplicates frames that came twice and were dropped
   * @param resumed sessions that lost an endpoint, replayed and came to a clean end
   * @param restarts sessions that ended because the peer was recognised as another life of the node
   * @param delivered messages that reached their subscribers
   * @param deaths sessions that ended because the end of the peer's process was reported
   */
  record Counts(
      long replays, long duplicates, long resumed, long restarts, long delivered, long deaths) {}
}
