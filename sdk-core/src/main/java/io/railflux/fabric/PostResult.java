package io.railflux.fabric;

/** Result of posting. */
public enum PostResult {
  /** The request was posted. */
  POSTED,
  /** The queue is full; post again after polling completions. */
  QUEUE_FULL,
  /** The endpoint is not {@link EndpointState#READY}. */
  NOT_READY,
  /** The fabric does not declare the operation. */
  UNSUPPORTED
}
