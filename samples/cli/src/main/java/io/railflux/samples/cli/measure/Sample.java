package io.railflux.samples.cli.measure;

import org.HdrHistogram.Histogram;

/**
 * One round.
 * @param times of single messages in nanoseconds; empty if only the rate is measured
 */
public record Sample(long count, long nanos, Histogram times) {

  private static final long MAX_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Returns a histogram that records longer times as one minute. */
  public static Histogram histogram() {
    return new Histogram(MAX_NANOS, DIGITS);
  }

  public static void record(Histogram times, long nanos) {
    times.recordValue(Math.min(Math.max(nanos, 0), MAX_NANOS));
  }

  /**
   * Returns the times as if one message had been due per median time. A pause then counts for every message that it
   * delayed, without coordinated omission.
   */
  public static Histogram dueEach(Histogram times) {
    return dueEvery(times, times.getValueAtPercentile(50));
  }

  /** As {@link #dueEach}, for messages that are due at a fixed interval. */
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
