package io.railflux.samples.bench.peers;

/**
 * What both sides of a pair agree on.
 *
 * @param roundTrip whether the far side sends back what comes; else it counts
 */
public record Job(boolean roundTrip, int sizeBytes) {}
