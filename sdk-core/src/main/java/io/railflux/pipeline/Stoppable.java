package io.railflux.pipeline;

/** A subscription that can end early without losing its values. Engine thread only. */
public interface Stoppable {

  /**
   * Cancels upstream. Downstream still receives the taken values within its demand, then {@code reason} as the error.
   */
  void stop(Throwable reason);
}
