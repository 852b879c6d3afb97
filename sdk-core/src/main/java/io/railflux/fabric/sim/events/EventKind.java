package io.railflux.fabric.sim.events;

/** Kind of a simulated event. Its name is part of the trace hash. */
public enum EventKind {
  DRIVER,
  ARRIVAL,
  ACKNOWLEDGE,
  REFUSE,
  RECEIVER_WAIT,
  RETRY_TIMER,
  RESUME,
  PLACE,
  SEAL,
  WAKE,
  DIAL,
  ACCEPT,
  DIAL_FAILED,
  PEER_GONE,
  INJECTED,
  DELIVER
}
