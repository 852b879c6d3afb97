package io.railflux.fabric.sim;

/**
 * Rates of rare network behaviour, from 0 to 1.
 *
 * @param completionErrorRate share of requests that fail with {@code TRANSPORT_RETRY} on a healthy link, half of them
 *     after taking effect
 * @param endpointDeathRate share of requests during which one of both endpoints fails
 * @param connectFailureRate share of connects that fail
 * @param lateRate share of requests in a black hole that land late, possibly after their sender received the failure
 * @param readLateRate share of requests whose local memory is read at arrival instead of at posting
 * @param closeNoticeRate share of closed endpoints whose peer is notified without own traffic
 * @param corruptionRate share of sends and writes that arrive with a flipped bit, as only an attacker or a defect
 *     causes it
 */
public record SimFaults(
    double completionErrorRate,
    double endpointDeathRate,
    double connectFailureRate,
    double lateRate,
    double readLateRate,
    double closeNoticeRate,
    double corruptionRate) {

  /** No failures; behaviour that every network may show remains. */
  public static final SimFaults NONE = new SimFaults(0, 0, 0, 0.25, 0.5, 0.5, 0);

  /**
   * Sets the rate of failed requests.
   *
   * @param rate share of requests, 0 to 1
   * @return a modified copy
   */
  public SimFaults withCompletionErrors(double rate) {
    return new SimFaults(
        rate,
        endpointDeathRate,
        connectFailureRate,
        lateRate,
        readLateRate,
        closeNoticeRate,
        corruptionRate);
  }

  /**
   * Sets the rate of endpoint failures.
   *
   * @param rate share of requests, 0 to 1
   * @return a modified copy
   */
  public SimFaults withEndpointDeaths(double rate) {
    return new SimFaults(
        completionErrorRate,
        rate,
        connectFailureRate,
        lateRate,
        readLateRate,
        closeNoticeRate,
        corruptionRate);
  }

  /**
   * Sets the rate of failed connects.
   *
   * @param rate share of connects, 0 to 1
   * @return a modified copy
   */
  public SimFaults withConnectFailures(double rate) {
    return new SimFaults(
        completionErrorRate,
        endpointDeathRate,
        rate,
        lateRate,
        readLateRate,
        closeNoticeRate,
        corruptionRate);
  }

  /**
   * Sets the rate of late requests.
   *
   * @param rate share of requests in a black hole, 0 to 1
   * @return a modified copy
   */
  public SimFaults withLate(double rate) {
    return new SimFaults(
        completionErrorRate,
        endpointDeathRate,
        connectFailureRate,
        rate,
        readLateRate,
        closeNoticeRate,
        corruptionRate);
  }

  /**
   * Sets the rate of late reads of local memory.
   *
   * @param rate share of requests, 0 to 1
   * @return a modified copy
   */
  public SimFaults withReadLate(double rate) {
    return new SimFaults(
        completionErrorRate,
        endpointDeathRate,
        connectFailureRate,
        lateRate,
        rate,
        closeNoticeRate,
        corruptionRate);
  }

  /**
   * Sets the rate of notified closes.
   *
   * @param rate share of closed endpoints, 0 to 1
   * @return a modified copy
   */
  public SimFaults withCloseNotice(double rate) {
    return new SimFaults(
        completionErrorRate,
        endpointDeathRate,
        connectFailureRate,
        lateRate,
        readLateRate,
        rate,
        corruptionRate);
  }

  /**
   * Sets the rate of flipped bits.
   *
   * @param rate share of sends and writes, 0 to 1
   * @return a modified copy
   */
  public SimFaults withCorruption(double rate) {
    return new SimFaults(
        completionErrorRate,
        endpointDeathRate,
        connectFailureRate,
        lateRate,
        readLateRate,
        closeNoticeRate,
        rate);
  }
}
