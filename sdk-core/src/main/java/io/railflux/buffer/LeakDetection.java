package io.railflux.buffer;

/** How much a {@link BufferPool} does to find buffers that were dropped without a release. */
public enum LeakDetection {
  /** Nothing is tracked or allocated; what is dropped stays counted as outstanding for ever. */
  OFF,
  /**
   * Every buffer is tracked, so that dropped bytes return to the budget; the place of acquisition
   * is kept for one buffer in 64.
   */
  SAMPLED,
  /** Every buffer is tracked with its place of acquisition. About a microsecond each; for tests. */
  ALL
}
