package io.railflux.fabric.faults;

/**
 * Rates of injected faults, from 0 to 1.
 *
 * @param seed seed of all choices
 * @param queueFullRate share of posts that return {@code QUEUE_FULL} despite free room
 * @param completionErrorRate share of successful requests that are reported as {@code TRANSPORT_RETRY} and put their
 *     endpoint into error
 * @param endpointDeathRate share of posts after which the endpoint is in error
 * @param connectFailureRate share of connects that fail
 * @param delayRate share of completions that are delayed, with all later ones of their endpoint
 * @param delayPolls longest delay in polls
 */
public record FaultConfig(
    long seed,
    double queueFullRate,
    double completionErrorRate,
    double endpointDeathRate,
    double connectFailureRate,
    double delayRate,
    int delayPolls) {

  /**
   * Creates a configuration without faults.
   *
   * @param seed seed of all choices
   * @return the configuration
   */
  public static FaultConfig seed(long seed) {
    return new FaultConfig(seed, 0, 0, 0, 0, 0, 0);
  }

  /**
   * Sets the rate of full queues.
   *
   * @param rate share of posts, 0 to 1
   * @return a modified copy
   */
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

  /**
   * Sets the rate of failed requests.
   *
   * @param rate share of requests, 0 to 1
   * @return a modified copy
   */
  public FaultConfig withCompletionErrors(double rate) {
    return new FaultConfig(
        seed, queueFullRate, rate, endpointDeathRate, connectFailureRate, delayRate, delayPolls);
  }

  /**
   * Sets the rate of endpoint failures.
   *
   * @param rate share of posts, 0 to 1
   * @return a modified copy
   */
  public FaultConfig withEndpointDeaths(double rate) {
    return new FaultConfig(
        seed, queueFullRate, completionErrorRate, rate, connectFailureRate, delayRate, delayPolls);
  }

  /**
   * Sets the rate of failed connects.
   *
   * @param rate share of connects, 0 to 1
   * @return a modified copy
   */
  public FaultConfig withConnectFailures(double rate) {
    return new FaultConfig(
        seed, queueFullRate, completionErrorRate, endpointDeathRate, rate, delayRate, delayPolls);
  }

  /**
   * Sets the rate of delayed completions.
   *
   * @param rate share of completions, 0 to 1
   * @param polls longest delay in polls
   * @return a modified copy
   */
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
