package io.railflux.engine;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;

/** Drives an engine without rails and peers in virtual time. */
final class LoneEngine implements EngineHost {

  private static final long CYCLE_NANOS = 500;

  final Engine engine = new Engine(EngineConfig.defaults("lone"), this, 0);
  private long nowNanos;
  private boolean driving;

  /** Runs cycles for the given time: back to back while there is work, otherwise when a timer is due. */
  void pass(long nanos) {
    long until = nowNanos + nanos;
    while (nowNanos < until) {
      boolean worked = cycle() > 0;
      long pause = worked ? CYCLE_NANOS : engine.untilNextTimerNanos(nowNanos);
      nowNanos += Math.min(until - nowNanos, Math.max(CYCLE_NANOS, pause));
    }
  }

  /** Lets time pass without cycles, as in a suspended process. */
  void standStill(long nanos) {
    nowNanos += nanos;
  }

  int cycle() {
    driving = true;
    try {
      return engine.dutyCycle(nowNanos);
    } finally {
      driving = false;
    }
  }

  long nowNanos() {
    return nowNanos;
  }

  @Override
  public boolean inEngine() {
    return driving;
  }

  @Override
  public void wakeUp() {}

  @Override
  public long randomLong() {
    return 1;
  }

  @Override
  public int pollIo() {
    return 0;
  }
}
