package io.railflux.lab;

import java.util.Map;

/**
 * What one run came to.
 *
 * @param violation the first invariant that did not hold, or null
 * @param traceHash of everything that happened, equal for equal seeds on every JDK
 * @param faults injected, by kind
 * @param events what applications did and saw
 */
record Outcome(
    String violation,
    long traceHash,
    Map<String, Long> faults,
    long replays,
    long duplicatesDropped,
    long virtualNanos,
    long events) {}
