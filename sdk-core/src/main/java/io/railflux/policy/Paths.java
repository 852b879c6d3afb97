package io.railflux.policy;

/**
 * The live paths to one peer, in an order that stays while others come and go. A view for the time of a
 * call; engine thread only.
 */
public interface Paths {

  /** How many there are, at least 1; the others are told by their index, 0 .. count-1. */
  int count();

  /** Which one: a number that no other path to this peer ever has. */
  int id(int path);

  /**
   * The rail it goes over: connections to one address of the peer are one rail, and rails are counted from 0 in the order
   * in which {@code connect} named their addresses, or in which they were added or found since; one that was given up
   * counts no more.
   */
  int rail(int path);

  /** What was handed to it and did not arrive yet, as far as is known. */
  long pendingBytes(int path);

  /** Of that what belongs to large messages: of what becomes of those {@link StripingPolicy#moved} tells. */
  long pendingLargeBytes(int path);
}
