package io.railflux.samples.bench.peers;

/** What the two sides of a pair do with their messages. */
public enum Exchange {
  /** The near side sends, the far side counts. */
  ONE_WAY,
  /** The far side sends each message back; one is under way. */
  ROUND_TRIP,
  /** The same with a pause before each, in which both sides fall asleep; who sends wakes up by itself. */
  WAKE_UP,
  /** Who sends is woken by another thread: as one of a library is by an application's. */
  WAKE_UP_RELAYED,
  /** They are connected, and no message comes. */
  NOTHING;

  /** Whether both sides fall asleep between messages. */
  boolean sleeps() {
    return this == WAKE_UP || this == WAKE_UP_RELAYED;
  }
}
