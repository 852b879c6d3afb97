package io.railflux.fabric.faults;

/**
 * Which faults are injected how often; rates from 0 to 1.
 *
 * @param seed of all choices
 * @param queueFullRate posts answered {@code QUEUE_FULL} although there is room
 * @param completionErrorRate successful requests reported as {@code TRANSPORT_RETRY}; their endpoint
 *     goes into error
 * @param endpointDeathRate posts after which the endpoint goes into error
 * @param connectFailureRate connection attempts that fail
 * @param delayRate completions held back, with everything of their endpoint behind them
 * @param delayPolls for how many polls they are, at most
 */
public record FaultConfig(
    long seed,
    double queueFullRate,
    double completionErrorRate,
    double endpointDeathRate,
    double connectFailureRate,
    double delayRate,
    int delayPolls) {

  /** No faults yet. */
  public static FaultConfig seed(long seed) {
    return new FaultConfig(seed, 0, 0, 0, 0, 0, 0);
  }

  public FaultConfig withQueueFull(double rate) {
    return new FaultConfig(
        seed,
        rate,
        completionErrorRate,
        endpointDeathRate,
        connectFailureRate,
        delayRate,
        delayPolls);
  }

  public FaultConfig withCompletionErrors(double rate) {
    return new FaultConfig(
        seed, queueFullRate, rate, endpointDeathRate, connectFailureRate, delayRate, delayPolls);
  }

  public FaultConfig withEndpointDeaths(double rate) {
    return new FaultConfig(
        seed, queueFullRate, completionErrorRate, rate, connectFailureRate, delayRate, delayPolls);
  }

  public FaultConfig withConnectFailures(double rate) {
    return new FaultConfig(
        seed, queueFullRate, completionErrorRate, endpointDeathRate, rate, delayRate, delayPolls);
  }

  public FaultConfig withDelays(double rate, int polls) {
    return new FaultConfig(
        seed,
        queueFullRate,
        completionErrorRate,
        endpointDeathRate,
        connectFailureRate,
        rate,
        polls);
  }
}
