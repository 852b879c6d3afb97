package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.SocketMode;

/**
 * The baselines' part of the line of JSON; null where there is none. Ratios are Railflux' figure by
 * the baseline's: of times for round trips, of rates for one way.
 *
 * @param rawRatio beside the one that counts: the bare ring, the spinning socket, perftest
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
