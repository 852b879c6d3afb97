package io.railflux.remote;

import io.railflux.engine.base.Timers;

/** Virtual time without chance: each backoff has its full length. */
final class VirtualTicks implements Ticks {

  private final Timers timers = new Timers();
  private long nowNanos;

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public Runnable after(long nanos, Runnable task) {
    return timers.at(nowNanos + nanos, task)::cancel;
  }

  @Override
  public double random() {
    return 0;
  }

  /** Advances the time by steps of a millisecond, and runs what is due. */
  void pass(long millis) {
    for (long i = 0; i < millis; i++) {
      nowNanos += 1_000_000;
      timers.run(nowNanos);
    }
  }
}
