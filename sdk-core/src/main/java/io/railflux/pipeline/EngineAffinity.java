package io.railflux.pipeline;

/** What operators need to know of the engine: whether they run on it, and how to get there. */
public interface EngineAffinity {

  /** Whether the calling thread is the engine's. */
  boolean inEngine();

  /** Runs {@code task} on the engine thread, after those handed over before. Any thread. */
  void execute(Runnable task);
}
