package io.railflux.policy;

/**
 * Transfer of large messages: the sender writes them (RV1), or the receiver reads them (RV2). Within a host the
 * receiver reads in place.
 */
public enum Rendezvous {
  /**
   * Reads if a device serves reads ({@link io.railflux.fabric.Capabilities.Feature#OFFLOADED_READS}) or memory is
   * shared: one control message less, and no work for the sender during the transfer. Writes otherwise.
   */
  AUTO,
  /** Writes on every fabric. */
  WRITE,
  /** Reads where possible, writes otherwise. Messages that are cut over several rails are written. */
  READ;

  /**
   * Returns whether the sender offers a message for reading.
   *
   * @param possible whether the fabric has reads and exposes memory of its users
   * @param offloaded whether a device serves reads
   * @return true to offer it
   */
  public boolean reads(boolean possible, boolean offloaded) {
    return possible && (this == READ || (this == AUTO && offloaded));
  }

  /**
   * Returns whether a message in shared memory stays in place for the receiver.
   *
   * @return true unless writes are required
   */
  public boolean looksInPlace() {
    return this != WRITE;
  }
}
