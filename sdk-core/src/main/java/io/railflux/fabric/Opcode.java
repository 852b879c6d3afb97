package io.railflux.fabric;

/** Operations of a work request, as in verbs. */
public enum Opcode {
  /** Into a buffer the peer posted. */
  SEND,
  /** Into the peer's region, without its knowledge. */
  WRITE,
  /** {@link #WRITE}, then consumes a posted receive to announce 32 bits of immediate data. */
  WRITE_WITH_IMMEDIATE,
  /** Out of the peer's region. */
  READ,
  /** Adds {@link WorkRequest#operand} to 8 aligned bytes, returns the former value. */
  FETCH_ADD,
  /** Swaps in {@link WorkRequest#operand} if {@link WorkRequest#compare} is found. */
  COMPARE_SWAP,
  /** Completion of a posted receive; never posted. */
  RECEIVE,
  /** Completion of a receive consumed by {@link #WRITE_WITH_IMMEDIATE}; never posted. */
  RECEIVE_IMMEDIATE
}
