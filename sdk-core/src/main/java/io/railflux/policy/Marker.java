package io.railflux.policy;

/**
 * Communication pattern of a message (MR9: V 6.2.3). It follows from the call, unless the Reactor context of the
 * sender or requester contains this class as a key: {@code peer.send(…).contextWrite(Context.of(Marker.class,
 * Marker.REQUEST))}. A reply is always a {@link #REQUEST}.
 */
public enum Marker {
  /** One of many messages in flight: throughput matters. */
  STREAM,
  /** A request or reply: latency matters. */
  REQUEST
}
