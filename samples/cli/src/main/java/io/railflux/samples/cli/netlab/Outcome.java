package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.measure.Runs;
import java.util.List;

/** The outcome of an experiment: the median, minimum and maximum of its runs, and the tally of all streams. */
record Outcome(
    String experiment,
    double value,
    String unit,
    double low,
    double high,
    long lost,
    long duplicated,
    long reordered,
    boolean checksumOk) {

  static Outcome of(Experiment experiment, String unit, List<Double> values, Order.Tally tally) {
    Runs runs = new Runs();
    values.forEach(runs::add);
    return new Outcome(
        experiment.toString(),
        runs.median(),
        unit,
        runs.low(),
        runs.high(),
        tally.lost(),
        tally.duplicated(),
        tally.reordered(),
        tally.damaged() == 0);
  }

  @Override
  public String toString() {
    return "%s: %s %s (%s to %s); lost %d, duplicated %d, reordered %d, checksums %s"
        .formatted(
            experiment,
            value,
            unit,
            low,
            high,
            lost,
            duplicated,
            reordered,
            checksumOk ? "right" : "WRONG");
  }

  /** Returns whether no message was lost, duplicated, reordered or damaged. */
  boolean isClean() {
    return lost == 0 && duplicated == 0 && reordered == 0 && checksumOk;
  }
}
