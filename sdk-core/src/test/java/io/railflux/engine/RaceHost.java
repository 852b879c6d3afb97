package io.railflux.engine;

/** Host of an engine that nobody drives but the actors of a race. */
final class RaceHost implements EngineHost {

  final SleepFlag asleep = new SleepFlag();

  /** Whether somebody owed the engine a wake-up. */
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
