package io.railflux.fabric.sim;

/**
 * Bounds of the simulated hardware, in nanoseconds of virtual time.
 *
 * @param retryTimeoutNanos time without acknowledgement after which a request fails with {@code TRANSPORT_RETRY},
 *     longer than the longest round trip; {@link #NEVER} for hardware that retries for ever
 * @param retransmitIntervalNanos interval of retransmissions by the hardware
 * @param receiverWaitNanos time that a send waits for a posted receive; {@link #NEVER} by default
 * @param connectTimeoutNanos time after which an unanswered connect fails
 * @param lateMaxNanos longest delay of a request in a black hole that still lands
 * @param drainMaxNanos longest time from an error of an endpoint to the end of draining
 * @param placementSpreadNanos time over which the bytes of one write become visible
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

  /** Retries fail after 20 ms, connects after 20 ms; sends wait for a receive without bound. */
  public static final SimTimings DEFAULT =
      new SimTimings(20_000_000, 2_500_000, NEVER, 20_000_000, 50_000_000, 20_000, 3_000);

  /**
   * Sets the time after which unacknowledged requests fail.
   *
   * @param nanos time in nanoseconds
   * @return a modified copy
   */
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

  /**
   * Sets the interval of retransmissions.
   *
   * @param nanos time in nanoseconds
   * @return a modified copy
   */
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

  /**
   * Sets the time after which unanswered connects fail.
   *
   * @param nanos time in nanoseconds
   * @return a modified copy
   */
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

  /**
   * Sets the time that a send waits for a receive.
   *
   * @param nanos time in nanoseconds
   * @return a modified copy
   */
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
