package io.railflux.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * What a message does when the rail that the striping policy chose has no room for it: no credit, or as much under way
 * as a sign of life should have to wait for.
 *
 * @param patience how long it waits for that rail, and with it what its peer is sent after it, before it goes over
 *     whichever has room. Without patience a slow rail holds up nothing; with it a policy that means its choice, such
 *     as binding, is kept to. A rail that is lost is waited for no longer. Requests and streams alike; pieces of large
 *     messages go where they were cut for
 */
public record CreditBackoff(Duration patience) {

  /** No patience: over another rail at once. */
  public static final CreditBackoff DEFAULT = new CreditBackoff(Duration.ZERO);

  /** Takes any value: those of a node are checked together when it starts. */
  public CreditBackoff {
    Objects.requireNonNull(patience, "patience");
  }
}
