package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.SocketMode;

/**
 * The figures of the baselines in the JSON output; null without a baseline. A ratio is the figure of Railflux divided
 * by that of the baseline: of times for round trips, of rates for one way.
 * @param rawRatio relative to the reference baseline: the bare ring, the spinning socket or perftest
 */
record RawFigures(
    Double rawRatio,
    Double rawSpinningMicros,
    Double rawSpinningPerSecond,
    Double rawSpinningRatio,
    Double rawBlockingMicros,
    Double rawBlockingPerSecond,
    Double rawBlockingRatio) {

  static final RawFigures NONE = new RawFigures(null, null, null, null, null, null, null);

  static RawFigures of(Rounds rounds) {
    if (rounds.baselines().isEmpty()) {
      return NONE;
    }
    Double ratio = rounds.ratio(rounds.baselines().get(0));
    if (rounds.baselines().size() < SocketMode.values().length) {
      return new RawFigures(ratio, null, null, null, null, null, null);
    }
    Baseline spinning = rounds.baselines().get(SocketMode.SPINNING.ordinal());
    Baseline blocking = rounds.baselines().get(SocketMode.BLOCKING.ordinal());
    return new RawFigures(
        ratio,
        rounds.medianMicros(spinning),
        rounds.medianPerSecond(spinning),
        rounds.ratio(spinning),
        rounds.medianMicros(blocking),
        rounds.medianPerSecond(blocking),
        rounds.ratio(blocking));
  }
}
