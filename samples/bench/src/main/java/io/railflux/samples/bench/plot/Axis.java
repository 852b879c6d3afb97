package io.railflux.samples.bench.plot;

import java.util.Locale;
import java.util.function.Function;

/**
 * One axis of a plot.
 * @param tick formats the label of a value
 */
public record Axis(String label, boolean logarithmic, Function<Double, String> tick) {

  private static final double THOUSAND = 1e3;
  private static final String PREFIXES = " kMGT";

  public static Axis linear(String label) {
    return new Axis(label, false, Axis::number);
  }

  public static Axis logarithmic(String label) {
    return new Axis(label, true, Axis::number);
  }

  /** Percentiles, with equal widths for each further nine. Values are results of {@link #outOf}. */
  public static Axis percentiles(String label) {
    return new Axis(label, true, share -> number(100 - 100 / share));
  }

  /** Returns the number of samples of which one exceeds the percentile, such as 1,000 for 99.9. */
  public static double outOf(double percentile) {
    return 100 / (100 - percentile);
  }

  /** Formats a number compactly: 2.5k, 1M, 0.01. */
  static String number(double value) {
    double left = value;
    int prefix = 0;
    while (Math.abs(left) >= THOUSAND && prefix < PREFIXES.length() - 1) {
      left /= THOUSAND;
      prefix++;
    }
    String digits = String.format(Locale.ROOT, "%.4f", left).replaceAll("\\.?0+$", "");
    return prefix == 0 ? digits : digits + PREFIXES.charAt(prefix);
  }
}
