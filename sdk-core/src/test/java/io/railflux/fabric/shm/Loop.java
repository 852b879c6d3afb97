package io.railflux.fabric.shm;

import io.railflux.engine.IoLoop;
import io.railflux.fabric.RealContext;

/** The part of an engine that a fabric needs, with controllable time. */
public final class Loop extends RealContext {

  private long aheadNanos;

  public Loop() {
    this(IoLoop.fastest(System::nanoTime));
  }

  public Loop(IoLoop io) {
    super(io);
  }

  /** Advances time. */
  public void advance(long nanos) {
    aheadNanos += nanos;
  }

  @Override
  public long nowNanos() {
    return super.nowNanos() + aheadNanos;
  }

  /**
   * Sleeps as an engine without work does.
   * @return whether a wake-up ended the sleep
   */
  @Override
  public boolean sleep(long millis) {
    long deadline = System.nanoTime() + millis * 1_000_000;
    boolean woken = false;
    for (long left = millis; !woken && left > 0; ) {
      woken = super.sleep(left);
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
    return woken;
  }
}
