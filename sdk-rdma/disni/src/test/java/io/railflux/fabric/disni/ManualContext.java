package io.railflux.fabric.disni;

import io.railflux.fabric.FabricContext;

/** The surroundings of an engine, with a clock that the test controls. */
final class ManualContext implements FabricContext {

  private long nowNanos;
  private volatile int wakeUps;

  void pass(long nanos) {
    nowNanos += nanos;
  }

  int wakeUps() {
    return wakeUps;
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public long randomLong() {
    return 4;
  }

  @Override
  public synchronized void wakeUp() {
    wakeUps++;
  }

  @Override
  public int pollIo() {
    return 0;
  }
}
