package io.railflux.fabric.base;

import io.railflux.fabric.EndpointState;

/**
 * Life cycle of an endpoint, and the reason of its failure. {@link EndpointState#canBecome} lists the transitions.
 * Engine thread only.
 */
public final class LifeCycle {

  private EndpointState state = EndpointState.READY;
  private String failure = "";
  private boolean failureReported;

  /** Creates the life cycle of an endpoint that is {@link EndpointState#READY}. */
  public LifeCycle() {}

  /** Returns the present state. */
  public EndpointState state() {
    return state;
  }

  /** Returns whether the endpoint accepts requests. */
  public boolean isReady() {
    return state == EndpointState.READY;
  }

  /** Returns whether the endpoint flushes its requests. */
  public boolean isDraining() {
    return state == EndpointState.DRAINING;
  }

  /** Returns whether all resources are released. */
  public boolean isClosed() {
    return state == EndpointState.CLOSED;
  }

  /**
   * Permits an operation that only a ready endpoint offers.
   *
   * @throws IllegalStateException in every other state
   */
  public void requireReady() {
    if (state != EndpointState.READY) {
      throw new IllegalStateException("the endpoint is " + state);
    }
  }

  /**
   * Leaves {@link EndpointState#READY}.
   *
   * @param reason cause in one line, for {@link #failure}
   * @return false if the endpoint is not ready; the call then has no effect
   */
  public boolean drain(String reason) {
    if (state != EndpointState.READY) {
      return false;
    }
    become(EndpointState.DRAINING);
    failure = reason;
    return true;
  }

  /** Returns the reason of the failure; empty without one. */
  public String failure() {
    return failure;
  }

  /** Returns whether the listener knows the failure. */
  public boolean isFailureReported() {
    return failureReported;
  }

  /**
   * Claims the report of the failure, which happens once and while the endpoint drains.
   *
   * @return true for the first call since {@link #drain}
   */
  public boolean claimFailure() {
    boolean first = state == EndpointState.DRAINING && !failureReported;
    failureReported |= first;
    return first;
  }

  /** Ends draining: no further completion follows. */
  public void drained() {
    become(EndpointState.DRAINED);
  }

  /**
   * Ends the life.
   *
   * @return false if the endpoint was closed before
   */
  public boolean close() {
    if (state == EndpointState.CLOSED) {
      return false;
    }
    become(EndpointState.CLOSED);
    return true;
  }

  private void become(EndpointState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("endpoint: " + state + " cannot become " + next);
    }
    state = next;
  }
}
