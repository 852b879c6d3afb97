package io.railflux.policy;

/**
 * Who moves large messages: their sender by writes (RV1), or their receiver by reads (RV2), which within a
 * host is a look at where they lie.
 */
public enum Rendezvous {
  /**
   * Reads where a device serves them ({@link io.railflux.fabric.Capabilities.Feature#OFFLOADED_READS}) or memory
   * is shared: one control message less, and the sender need not act while data moves. Writes elsewhere: what the sender
   * has to send itself it sends from where it is.
   */
  AUTO,
  /** Writes on every fabric. */
  WRITE,
  /** Reads wherever they are possible, writes elsewhere; what is cut over several rails is written. */
  READ;

  /**
   * Whether a message is offered to be read.
   *
   * @param possible whether the fabric has reads and exposes memory of its users
   * @param offloaded whether a device serves them
   */
  public boolean reads(boolean possible, boolean offloaded) {
    return possible && (this == READ || (this == AUTO && offloaded));
  }

  /** Whether a message in shared memory stays where it is, for the receiver to look at. */
  public boolean looksInPlace() {
    return this != WRITE;
  }
}
