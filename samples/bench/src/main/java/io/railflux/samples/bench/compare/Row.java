package io.railflux.samples.bench.compare;

/**
 * One figure of one peer over all runs.
 * @param value the median
 * @param low minimum of all runs
 * @param high maximum of all runs
 * @param railfluxRatio median over all runs of Railflux' figure divided by this one; null without a divisor
 */
record Row(
    String peer,
    String workload,
    int sizeBytes,
    double value,
    String unit,
    double low,
    double high,
    Double railfluxRatio) {}
