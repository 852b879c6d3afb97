package io.railflux.pipeline;

/** Access of operators to the engine thread. */
public interface EngineAffinity {

  /** Whether the calling thread is the engine thread. */
  boolean inEngine();

  /** Runs {@code task} on the engine thread, after earlier tasks. Any thread. */
  void execute(Runnable task);
}
