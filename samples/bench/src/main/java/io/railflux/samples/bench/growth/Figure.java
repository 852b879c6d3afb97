package io.railflux.samples.bench.growth;

/**
 * The result of one run at one point of a curve.
 * @param experiment the curve
 * @param parameter the point: bytes, a number of streams or peers, or a percentage
 * @param base whether later figures are reported relative to this one
 */
record Figure(String experiment, int parameter, double value, String unit, boolean base) {

  static Figure of(String experiment, int parameter, double value, String unit) {
    return new Figure(experiment, parameter, value, unit, false);
  }

  static Figure base(String experiment, int parameter, double value, String unit) {
    return new Figure(experiment, parameter, value, unit, true);
  }
}
