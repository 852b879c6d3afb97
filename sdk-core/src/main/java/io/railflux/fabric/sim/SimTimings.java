package io.railflux.fabric.sim;

/**
 * Bounds of the simulated hardware, in nanoseconds of virtual time.
 *
 * @param retryTimeoutNanos without acknowledgement for so long a request fails with {@code
 *     TRANSPORT_RETRY}; {@link #NEVER} for hardware on which the greatest retry count means for ever.
 *     Must exceed the longest round trip.
 * @param retransmitIntervalNanos the hardware's own retransmission while it waits
 * @param receiverWaitNanos how long a send waits for a posted receive; {@link #NEVER} by default
 * @param connectTimeoutNanos when a connection attempt without an answer fails
 * @param lateMaxNanos how much later than it should a request caught in a black hole may still land
 * @param drainMaxNanos longest time from an endpoint's error to the end of its draining
 * @param placementSpreadNanos over how long the bytes of one write become visible
 */
public record SimTimings(
    long retryTimeoutNanos,
    long retransmitIntervalNanos,
    long receiverWaitNanos,
    long connectTimeoutNanos,
    long lateMaxNanos,
    long drainMaxNanos,
    long placementSpreadNanos) {

  /** No bound. */
  public static final long NEVER = Long.MAX_VALUE;

  public static final SimTimings DEFAULT =
      new SimTimings(20_000_000, 2_500_000, NEVER, 20_000_000, 50_000_000, 20_000, 3_000);

  public SimTimings withRetryTimeout(long nanos) {
    return new SimTimings(
        nanos,
        retransmitIntervalNanos,
        receiverWaitNanos,
        connectTimeoutNanos,
        lateMaxNanos,
        drainMaxNanos,
        placementSpreadNanos);
  }

  public SimTimings withRetransmitInterval(long nanos) {
    return new SimTimings(
        retryTimeoutNanos,
        nanos,
        receiverWaitNanos,
        connectTimeoutNanos,
        lateMaxNanos,
        drainMaxNanos,
        placementSpreadNanos);
  }

  public SimTimings withConnectTimeout(long nanos) {
    return new SimTimings(
        retryTimeoutNanos,
        retransmitIntervalNanos,
        receiverWaitNanos,
        nanos,
        lateMaxNanos,
        drainMaxNanos,
        placementSpreadNanos);
  }

  public SimTimings withReceiverWait(long nanos) {
    return new SimTimings(
        retryTimeoutNanos,
        retransmitIntervalNanos,
        nanos,
        connectTimeoutNanos,
        lateMaxNanos,
        drainMaxNanos,
        placementSpreadNanos);
  }
}
