package io.railflux.metrics;

/** What the meters of an engine read, from any thread; values may be a moment old. */
public interface EngineReadings {

  long cycles();

  long busyCycles();

  long sleeps();

  /** Abilities the engine would use and its fabrics lack, over all of them. */
  long lacking();
}
