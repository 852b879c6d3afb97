package io.railflux.engine;

import io.railflux.engine.base.EngineHost;

/** Host of an engine that only the actors of a race drive. */
final class RaceHost implements EngineHost {

  final IdleStrategy.SleepFlag asleep = new IdleStrategy.SleepFlag();

  /** Whether a caller has to wake the engine. */
  boolean woken;

  @Override
  public boolean inEngine() {
    return false;
  }

  @Override
  public void wakeUp() {
    woken |= asleep.take();
  }

  @Override
  public long randomLong() {
    return 1;
  }

  @Override
  public int pollIo() {
    return 0;
  }
}
