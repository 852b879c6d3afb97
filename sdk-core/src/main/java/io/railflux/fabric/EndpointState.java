package io.railflux.fabric;

/**
 * State of an endpoint. Permitted transitions:
 *
 * <pre>
 *   READY  --error, fence, peer gone-->  DRAINING  --last flush delivered-->  DRAINED
 *   READY, DRAINING, DRAINED  --close-->  CLOSED
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
  CLOSED;

  /**
   * Returns whether a state may follow this one.
   *
   * @param next the following state
   * @return true for the transitions above
   */
  public boolean canBecome(EndpointState next) {
    return switch (this) {
      case READY -> next == DRAINING || next == CLOSED;
      case DRAINING -> next == DRAINED || next == CLOSED;
      case DRAINED -> next == CLOSED;
      case CLOSED -> false;
    };
  }
}
