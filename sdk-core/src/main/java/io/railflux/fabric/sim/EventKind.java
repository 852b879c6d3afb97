package io.railflux.fabric.sim;

/** What an event of the simulation is about. Its name is part of the trace hash. */
enum EventKind {
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
