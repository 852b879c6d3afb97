package io.railflux.fabric;

/**
 * Life of an endpoint. Allowed transitions:
 *
 * <pre>
 *   READY  --error, fence, peer gone-->  DRAINING  --last flush delivered-->  DRAINED
 *   any    --close-->                    CLOSED
 * </pre>
 */
public enum EndpointState {
  /** Requests can be posted. */
  READY,
  /** In error: nothing can be posted, outstanding requests are being flushed. */
  DRAINING,
  /** {@link FabricListener#onDrained} was delivered; keys are revoked. */
  DRAINED,
  /** Resources released. */
  CLOSED
}
