package io.railflux.engine;

import java.nio.channels.SelectableChannel;

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
  public void watch(SelectableChannel channel, Runnable onReady) {
    throw new UnsupportedOperationException("a race has no channels");
  }

  @Override
  public int pollWatched() {
    return 0;
  }
}
