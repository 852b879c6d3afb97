package io.railflux.fabric.sim;

/**
 * How one rail between two hosts behaves while it is healthy.
 *
 * @param latencyMinNanos least one-way delay
 * @param latencyMaxNanos greatest one-way delay; drawn per message, order within an endpoint is kept
 * @param bytesPerSecond rate of each direction; 0 for no limit
 */
public record LinkModel(long latencyMinNanos, long latencyMaxNanos, long bytesPerSecond) {

  /** 2 to 6 microseconds, 10 gigabytes a second. */
  public static final LinkModel FAST = new LinkModel(2_000, 6_000, 10_000_000_000L);

  public LinkModel {
    if (latencyMinNanos < 0 || latencyMaxNanos < latencyMinNanos || bytesPerSecond < 0) {
      throw new IllegalArgumentException("latency must be 0 <= min <= max and the rate >= 0");
    }
  }

  public LinkModel withLatency(long minNanos, long maxNanos) {
    return new LinkModel(minNanos, maxNanos, bytesPerSecond);
  }

  public LinkModel withRate(long newBytesPerSecond) {
    return new LinkModel(latencyMinNanos, latencyMaxNanos, newBytesPerSecond);
  }
}
