package io.railflux.fabric.sim;

/**
 * How often the simulation does what real networks do seldom; rates from 0 to 1.
 *
 * @param completionErrorRate requests that fail with {@code TRANSPORT_RETRY} on a healthy link, half
 *     of them after they took effect
 * @param endpointDeathRate requests during which one of the two endpoints goes into error
 * @param connectFailureRate connection attempts that fail
 * @param lateRate requests caught in a black hole that land after all, possibly after the sender
 *     heard of their failure
 * @param readLateRate requests whose local memory is read when they arrive instead of when posted
 * @param closeNoticeRate closed endpoints of which the peer hears without own traffic
 * @param corruptionRate sends and writes that arrive with a bit flipped, as no sound network lets them:
 *     somebody else was at work
 */
public record SimFaults(
    double completionErrorRate,
    double endpointDeathRate,
    double connectFailureRate,
    double lateRate,
    double readLateRate,
    double closeNoticeRate,
    double corruptionRate) {

  /** Nothing fails by itself; liberties that every network takes are taken. */
  public static final SimFaults NONE = new SimFaults(0, 0, 0, 0.25, 0.5, 0.5, 0);

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
