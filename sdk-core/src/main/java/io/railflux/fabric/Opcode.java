package io.railflux.fabric;

/** Operation of a work request, as in verbs. */
public enum Opcode {
  /** Sends into a posted receive of the peer. */
  SEND,
  /** Writes into a region of the peer without its involvement. */
  WRITE,
  /** A {@link #WRITE} that then consumes a posted receive to deliver 32 bits of immediate data. */
  WRITE_WITH_IMMEDIATE,
  /** Reads from a region of the peer. */
  READ,
  /** Adds {@link WorkRequest#operand} to 8 aligned bytes and returns the former value. */
  FETCH_ADD,
  /**
   * Stores {@link WorkRequest#operand} in 8 aligned bytes if they equal {@link WorkRequest#compare}, and returns the
   * former value.
   */
  COMPARE_SWAP,
  /** Completion of a posted receive; never posted. */
  RECEIVE,
  /** Completion of a receive that {@link #WRITE_WITH_IMMEDIATE} consumed; never posted. */
  RECEIVE_IMMEDIATE
}
