package io.railflux.samples.bench.compare;

/**
 * One figure of one peer over all runs.
 *
 * @param value the median
 * @param low of all runs
 * @param high of all runs
 * @param railfluxRatio Railflux' figure by this one, the median of the ratios run by run; null where nothing
 *     was there to divide by
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
