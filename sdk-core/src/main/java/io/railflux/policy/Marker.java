package io.railflux.policy;

/**
 * The communication pattern a message belongs to (MR9: V 6.2.3). It follows from the call that was used, unless
 * the Reactor context of who sends or requests says otherwise, by this class as the key: {@code
 * peer.send(…).contextWrite(Context.of(Marker.class, Marker.REQUEST))}. A reply is one, whatever its
 * requester said.
 */
public enum Marker {
  /** One of many that are under way: what counts is how much is moved in a time. */
  STREAM,
  /** A request or a reply, for which somebody waits: what counts is when all of it is there. */
  REQUEST
}
