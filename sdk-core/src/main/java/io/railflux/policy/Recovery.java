package io.railflux.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * Backoff before a lost rail is connected again (FT4: V 10.3.3), on whichever side connects.
 *
 * @param minBackoff time before the first attempt. Each backoff doubles, minus up to a half at random, so that many
 *     peers of a restarted node do not connect at once. Backoffs restart after the rail was up for {@code maxBackoff}
 * @param maxBackoff upper bound. A shorter one detects a restored rail sooner; a longer one makes fewer attempts. At
 *     an address that never answered the backoff grows to 5 s
 */
public record Recovery(Duration minBackoff, Duration maxBackoff) {

  /** 10 ms to 160 ms. */
  public static final Recovery DEFAULT =
      new Recovery(Duration.ofMillis(10), Duration.ofMillis(160));

  /**
   * Accepts any durations; the start of a node validates them.
   *
   * @param minBackoff time before the first attempt
   * @param maxBackoff upper bound of the backoff
   * @throws NullPointerException if a part is null
   */
  public Recovery {
    Objects.requireNonNull(minBackoff, "minBackoff");
    Objects.requireNonNull(maxBackoff, "maxBackoff");
  }
}
