package io.railflux.remote;

/** Time and chance of a node. Engine thread only. */
public interface Ticks {

  /** Returns the time of the current duty cycle. */
  long nowNanos();

  /**
   * Runs {@code task} on the engine thread after {@code nanos}.
   *
   * @return an action that cancels the task
   */
  Runnable after(long nanos, Runnable task);

  /** Returns a random number from 0 to below 1. */
  double random();
}
