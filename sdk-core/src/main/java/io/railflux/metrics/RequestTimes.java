package io.railflux.metrics;

/** Receives the times of requests with one reply. The thread that ends a request calls it; it must not throw. */
public interface RequestTimes {

  /** Outcome of a request. */
  enum Outcome {
    /** The request completed, with or without a reply. */
    SUCCESS,
    /** The request failed. */
    ERROR,
    /** The requester cancelled. */
    CANCELLED
  }

  /**
   * A request of this node ended.
   *
   * @param route name of the route
   * @param nanos time from the subscription to the last signal, in nanoseconds
   * @param outcome outcome of the request
   */
  void requested(String route, long nanos, Outcome outcome);

  /**
   * This node replied to a request, or failed to.
   *
   * @param route name of the route
   * @param nanos time from the arrival of the request to the last signal of the handler's publisher, in nanoseconds
   * @param outcome outcome of the request
   */
  void answered(String route, long nanos, Outcome outcome);
}
