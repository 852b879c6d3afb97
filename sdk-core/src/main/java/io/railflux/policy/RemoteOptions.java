package io.railflux.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * How a node reaches a remote place. Immutable; each method returns a modified copy.
 *
 * @param balancing distribution over the instances that the addresses lead to. Default {@link Balancing#NONE}
 * @param minBackoff time before the attempt after the first failure. Each backoff doubles, minus up to a half at random.
 *     Default 50 ms
 * @param maxBackoff upper bound of the backoff. Default 2 s
 * @param failFast whether requests fail at once while no instance is reachable, instead of waiting within their
 *     deadline. Default false
 */
public record RemoteOptions(
    Balancing balancing, Duration minBackoff, Duration maxBackoff, boolean failFast) {

  private static final Duration MAX = Duration.ofDays(1);

  /** The defaults of all options. */
  public static final RemoteOptions DEFAULT =
      new RemoteOptions(Balancing.NONE, Duration.ofMillis(50), Duration.ofSeconds(2), false);

  /**
   * Validates the options.
   *
   * @param balancing distribution over instances
   * @param minBackoff time before the attempt after the first failure
   * @param maxBackoff upper bound of the backoff
   * @param failFast whether requests fail while no instance is reachable
   * @throws NullPointerException if a part is null
   * @throws IllegalArgumentException if a backoff is shorter than 1 ms or longer than a day, or {@code minBackoff}
   *     exceeds {@code maxBackoff}
   */
  public RemoteOptions {
    Objects.requireNonNull(balancing, "balancing");
    Objects.requireNonNull(minBackoff, "minBackoff");
    Objects.requireNonNull(maxBackoff, "maxBackoff");
    if (minBackoff.toMillis() < 1
        || maxBackoff.compareTo(MAX) > 0
        || minBackoff.compareTo(maxBackoff) > 0) {
      throw new IllegalArgumentException("minBackoff " + minBackoff + " and maxBackoff "
          + maxBackoff + " must be 1 ms to " + MAX + ", and in this order");
    }
  }

  /**
   * Distributes work over instances.
   *
   * @param value the distribution
   * @return a modified copy
   */
  public RemoteOptions balancing(Balancing value) {
    return new RemoteOptions(value, minBackoff, maxBackoff, failFast);
  }

  /**
   * Sets the time between attempts to connect.
   *
   * @param min time before the attempt after the first failure, at least 1 ms
   * @param max upper bound, at most one day
   * @return a modified copy
   * @throws IllegalArgumentException if the times are out of range or in the wrong order
   */
  public RemoteOptions backoff(Duration min, Duration max) {
    return new RemoteOptions(balancing, min, max, failFast);
  }

  /**
   * Lets requests fail at once while no instance is reachable.
   *
   * @return a modified copy
   */
  public RemoteOptions failingFast() {
    return new RemoteOptions(balancing, minBackoff, maxBackoff, true);
  }
}
