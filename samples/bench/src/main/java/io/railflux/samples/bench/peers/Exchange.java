package io.railflux.samples.bench.peers;

/** The traffic between the two sides of a pair. */
public enum Exchange {
  /** The near side sends, the far side counts. */
  ONE_WAY,
  /** The far side returns each message; one is in flight. */
  ROUND_TRIP,
  /**
   * As {@link #ROUND_TRIP}, with a pause before each message in which both sides sleep. The sending thread wakes up by
   * itself.
   */
  WAKE_UP,
  /** As {@link #WAKE_UP}. Another thread wakes the sending thread, as an application thread wakes a library thread. */
  WAKE_UP_RELAYED,
  /** Both sides are connected without traffic. */
  NOTHING;

  /** Returns whether both sides sleep between messages. */
  boolean sleeps() {
    return this == WAKE_UP || this == WAKE_UP_RELAYED;
  }
}
