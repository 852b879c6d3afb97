package io.railflux.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * Time that a message waits for room on the rail that the striping policy chose. A rail has no room without credit,
 * or with more bytes in flight than a heartbeat may wait for.
 *
 * @param patience time that the message, and the messages behind it, wait before they take another rail with room.
 *     Without patience a slow rail delays nothing. Patience keeps to policies with a fixed choice, such as binding. A
 *     message does not wait for a lost rail. Applies to requests and streams, not to pieces of large messages
 */
public record CreditBackoff(Duration patience) {

  /** No patience: the message takes another rail at once. */
  public static final CreditBackoff DEFAULT = new CreditBackoff(Duration.ZERO);

  /**
   * Accepts any duration; the start of a node validates it.
   *
   * @param patience time that a message waits for its chosen rail
   * @throws NullPointerException if {@code patience} is null
   */
  public CreditBackoff {
    Objects.requireNonNull(patience, "patience");
  }
}
