package io.railflux.samples.bench.growth;

/**
 * One point of a curve over all runs.
 * @param value the median
 * @param low minimum of all runs
 * @param high maximum of all runs
 * @param ratio median of the ratios to the first point of the curve, measured immediately before; null without a base
 */
record Row(
    String experiment,
    int parameter,
    double value,
    String unit,
    double low,
    double high,
    Double ratio) {}
