package io.railflux.fabric;

/** Permissions of a peer for an exposed region. Local access is always permitted. */
public enum Access {
  /** Reads only. */
  REMOTE_READ(true, false),
  /** Writes only. */
  REMOTE_WRITE(false, true),
  /** Reads, writes and atomics. */
  REMOTE_ALL(true, true);

  private final boolean reads;
  private final boolean writes;

  Access(boolean reads, boolean writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /**
   * Returns whether the peer may read.
   *
   * @return true if reads are permitted
   */
  public boolean allowsRead() {
    return reads;
  }

  /**
   * Returns whether the peer may write.
   *
   * @return true if writes are permitted
   */
  public boolean allowsWrite() {
    return writes;
  }
}
