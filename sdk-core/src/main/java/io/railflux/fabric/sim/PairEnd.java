package io.railflux.fabric.sim;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.sim.memory.SimRegion;

/** One end of a simulated connection, as its queues, its requests and its peer see it. */
interface PairEnd extends Endpoint {

  Fabric fabric();

  SimWorld world();

  FabricListener listener();

  /** Returns the other end; null while this end does not know it. */
  PairEnd peer();

  SimSendQueue sendQueue();

  SimResponder responder();

  /** Returns the exposed region with a key; null without one. */
  SimRegion region(long key);

  /** Whether both ends map the memory of each other. */
  boolean mapped();

  boolean isReady();

  boolean isClosed();

  /**
   * Leaves {@link io.railflux.fabric.EndpointState#READY}.
   *
   * @param failed the failed request, or {@code null}
   */
  void fail(Request failed, CompletionStatus status, String reason);

  /** The listener is about to receive the end of draining. */
  void drained();

  /** Lets the next poll of the fabric deliver an event. */
  void enqueue(SimDelivery delivery);

  /** Wakes the engine of this end, if it is armed. */
  void wakeAfter(long delayNanos);
}
