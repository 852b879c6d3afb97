package io.railflux.policy;

/** Distribution of the work for a remote place over the instances that its addresses lead to. */
public enum Balancing {
  /** The addresses lead to one node: one session, over as many rails as there are addresses. */
  NONE,
  /** One session with each address, and with each address of a host name. Each takes its turn. */
  ROUND_ROBIN,
  /** One session with each address as in {@link #ROUND_ROBIN}. The one with the fewest requests under way is next. */
  LEAST_OUTSTANDING
}
