package io.railflux.samples.cli.measure;

import org.HdrHistogram.Histogram;

/**
 * One round.
 *
 * @param times of the single messages in nanoseconds; empty where only the rate is measured
 */
public record Sample(long count, long nanos, Histogram times) {

  private static final long MAX_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Longer times count as a minute. */
  public static Histogram histogram() {
    return new Histogram(MAX_NANOS, DIGITS);
  }

  public static void record(Histogram times, long nanos) {
    times.recordValue(Math.min(Math.max(nanos, 0), MAX_NANOS));
  }

  /**
   * As if a message had been due at every median time, so that a pause counts for all that it delayed, not for
   * the one that waited: without coordinated omission.
   */
  public static Histogram dueEach(Histogram times) {
    return dueEvery(times, times.getValueAtPercentile(50));
  }

  /** The same for messages that are due at such intervals. */
  public static Histogram dueEvery(Histogram times, long nanos) {
    return times.copyCorrectedForCoordinatedOmission(nanos);
  }

  public double perSecond() {
    return count * NANOS_PER_SECOND / nanos;
  }

  public double medianNanos() {
    return times.getValueAtPercentile(50);
  }
}
