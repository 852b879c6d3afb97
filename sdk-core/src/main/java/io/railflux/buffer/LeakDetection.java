package io.railflux.buffer;

/** Effort of a {@link BufferPool} to find buffers that were dropped without a release. */
public enum LeakDetection {
  /** Tracks nothing; dropped buffers count as outstanding for ever. */
  OFF,
  /**
   * Tracks every buffer, so that dropped bytes return to the budget; records the place of acquisition of one buffer
   * in 64.
   */
  SAMPLED,
  /** Tracks every buffer with its place of acquisition, which takes about a microsecond each; for tests. */
  ALL
}
