package io.railflux.samples.bench.peers;

/** What the two sides of a pair do with their messages. */
public enum Exchange {
  /** The near side sends, the far side counts. */
  ONE_WAY,
  /** The far side sends each message back; one is under way. */
  ROUND_TRIP,
  /** The same with a pause before each, in which both sides fall asleep. */
  WAKE_UP,
  /** They are connected, and no message comes. */
  NOTHING
}
