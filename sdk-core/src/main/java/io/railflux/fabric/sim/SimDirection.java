package io.railflux.fabric.sim;

/** One direction of a link, as its sender sees it. */
interface SimDirection {

  /** Returns the time at which the last bit of a message has left. */
  long depart(long connection, long bytes);

  /** Draws the one-way delay of a message. */
  long latency();

  /** Whether a message that left at {@code departedAt} and is due now is lost. */
  boolean loses(long departedAt);
}
