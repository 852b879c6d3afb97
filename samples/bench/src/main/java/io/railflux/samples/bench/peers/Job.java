package io.railflux.samples.bench.peers;

/** @param roundTrip whether the far side sends back what comes; else it counts */
public record Job(boolean roundTrip, int sizeBytes) {}
