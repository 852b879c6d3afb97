package io.railflux.pipeline;

/** A subscription that can end early without losing what it took on. Engine thread only. */
public interface Stoppable {

  /**
   * Cancels upstream; values taken on still go downstream as it requests them, then {@code reason}
   * as the error.
   */
  void stop(Throwable reason);
}
