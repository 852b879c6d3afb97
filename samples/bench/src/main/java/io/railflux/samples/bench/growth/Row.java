package io.railflux.samples.bench.growth;

/**
 * One point of a curve over all runs.
 *
 * @param value the median
 * @param low of all runs
 * @param high of all runs
 * @param ratio to the first point of the curve, measured right before: the median of the ratios; null for curves
 *     without
 */
record Row(
    String experiment,
    int parameter,
    double value,
    String unit,
    double low,
    double high,
    Double ratio) {}
