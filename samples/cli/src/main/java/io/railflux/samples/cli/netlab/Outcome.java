package io.railflux.samples.cli.netlab;

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

  private static final double DIGITS = 1e4;

  static Outcome of(Experiment experiment, String unit, List<Double> values, Order.Tally tally) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Outcome(
        experiment.toString(),
        rounded(median(sorted)),
        unit,
        rounded(sorted[0]),
        rounded(sorted[sorted.length - 1]),
        tally.lost(),
        tally.duplicated(),
        tally.reordered(),
        tally.damaged() == 0);
  }

  static double median(List<Double> values) {
    return median(values.stream().mapToDouble(Double::doubleValue).sorted().toArray());
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
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
