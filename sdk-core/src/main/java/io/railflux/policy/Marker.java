package io.railflux.policy;

/** The communication pattern a message belongs to (MR9: V 6.2.3). */
public enum Marker {
  /** One of many that are under way: what counts is how much is moved in a time. */
  STREAM,
  /** A request or a reply, for which somebody waits: what counts is when all of it is there. */
  REQUEST
}
