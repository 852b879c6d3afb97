package io.railflux.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * How a rail that was lost is made again (FT4: V 10.3.3), by whichever side does.
 *
 * @param firstPause before the first attempt; each pause is twice the one before, and up to a half shorter by chance,
 *     so that many peers of a node that comes back do not all come at once
 * @param longestPause but no longer than this. Shorter ones find a rail that is back sooner, longer ones knock less
 *     often at one that is gone. Where nobody ever answered they grow to 5 s
 */
public record Recovery(Duration firstPause, Duration longestPause) {

  /** 10 ms and 160 ms. */
  public static final Recovery DEFAULT =
      new Recovery(Duration.ofMillis(10), Duration.ofMillis(160));

  /** Takes any values: those of a node are checked together when it starts. */
  public Recovery {
    Objects.requireNonNull(firstPause, "firstPause");
    Objects.requireNonNull(longestPause, "longestPause");
  }
}
