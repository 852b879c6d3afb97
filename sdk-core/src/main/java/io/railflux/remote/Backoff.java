package io.railflux.remote;

/**
 * Time between attempts to connect. It doubles with each failure up to {@code maxNanos}, minus up to a half at random,
 * so that many clients of a restarted node do not connect at once.
 */
public record Backoff(long minNanos, long maxNanos) {

  /** Returns the time before the next attempt after {@code failures} failures, at least one. */
  long nanos(int failures, double random) {
    int doublings = Math.min(failures - 1, Long.numberOfLeadingZeros(minNanos) - 1);
    long full = Math.min(minNanos << doublings, maxNanos);
    return full - (long) (full * 0.5 * random);
  }
}
