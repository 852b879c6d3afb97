package io.railflux.policy;

/** Who moves large messages: their sender by writes (RV1), or their receiver by reads (RV2). */
public enum Rendezvous {
  /**
   * Reads where the fabric has them and exposes memory of its users: one control message less, and the
   * sender need not act while data moves. Writes elsewhere, and where memory is mapped.
   */
  AUTO,
  /** Writes on every fabric. */
  WRITE,
  /** Reads wherever they are possible, writes elsewhere. */
  READ;

  /**
   * Whether a message is offered to be read.
   *
   * @param possible whether the fabric has reads and exposes memory of its users
   * @param mapped whether the peer's memory is mapped, so that a write is a plain copy
   */
  public boolean reads(boolean possible, boolean mapped) {
    return possible && this != WRITE && (this == READ || !mapped);
  }
}
