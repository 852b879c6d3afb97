package io.railflux.samples.cli.measure;

import java.util.ArrayList;
import java.util.List;

/** The values of one figure in several runs, and their ratios to the values of another figure. */
public final class Runs {

  private static final double DIGITS = 1e4;

  private final List<Double> values = new ArrayList<>();
  private final List<Double> ratios = new ArrayList<>();

  /** Adds the value of a run. */
  public void add(double value) {
    values.add(value);
  }

  /** Adds the ratio of a run; ratios that are not finite do not count. */
  public void addRatio(double ratio) {
    if (Double.isFinite(ratio)) {
      ratios.add(ratio);
    }
  }

  public double median() {
    return rounded(median(values));
  }

  public double low() {
    return rounded(values.stream().mapToDouble(Double::doubleValue).min().orElseThrow());
  }

  public double high() {
    return rounded(values.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
  }

  /** Returns the median of the ratios, or null without ratios. */
  public Double medianRatio() {
    return ratios.isEmpty() ? null : rounded(median(ratios));
  }

  /** Returns the median, which is the mean of the two values in the middle of an even number. */
  public static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
