package io.railflux.fabric;

/** Expected outcomes of posting. */
public enum PostResult {
  POSTED,
  /** The queue is full; post again after completions were polled. */
  QUEUE_FULL,
  /** The endpoint is not {@link EndpointState#READY}. */
  NOT_READY,
  /** The fabric declares that it lacks this operation. */
  UNSUPPORTED
}
