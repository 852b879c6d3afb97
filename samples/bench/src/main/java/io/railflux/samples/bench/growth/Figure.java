package io.railflux.samples.bench.growth;

/**
 * What one run measured at one point of a curve.
 *
 * @param experiment the curve
 * @param parameter the point: bytes, a number of streams or peers, a share in per cent
 * @param base whether those that follow are told as ratios to this one
 */
record Figure(String experiment, int parameter, double value, String unit, boolean base) {

  static Figure of(String experiment, int parameter, double value, String unit) {
    return new Figure(experiment, parameter, value, unit, false);
  }

  static Figure base(String experiment, int parameter, double value, String unit) {
    return new Figure(experiment, parameter, value, unit, true);
  }
}
