package io.railflux.samples.bench.plot;

import java.util.Locale;
import java.util.function.Function;

/**
 * One direction of a plot.
 *
 * @param tick how a value is written beside it
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

  /** Per cent of all, each nine as wide as the one before; takes what {@link #outOf} gives. */
  public static Axis percentiles(String label) {
    return new Axis(label, true, share -> number(100 - 100 / share));
  }

  /** One of how many is above that percentile, such as 1,000 for 99.9. */
  public static double outOf(double percentile) {
    return 100 / (100 - percentile);
  }

  /** Short: 2.5k, 1M, 0.01. */
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
