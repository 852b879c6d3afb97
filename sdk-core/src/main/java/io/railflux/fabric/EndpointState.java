package io.railflux.fabric;

/**
 * State of an endpoint. Permitted transitions:
 *
 * <pre>
 *   READY  --error, fence, peer gone-->  DRAINING  --last flush delivered-->  DRAINED
 *   any    --close-->                    CLOSED
 * </pre>
 */
public enum EndpointState {
  /** Accepts requests. */
  READY,
  /** In error: refuses requests and flushes outstanding ones. */
  DRAINING,
  /** {@link FabricListener#onDrained} was delivered; keys are revoked. */
  DRAINED,
  /** All resources are released. */
  CLOSED
}
