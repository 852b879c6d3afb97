package io.railflux.fabric;

/** What a peer may do with an exposed region. Local access is always allowed. */
public enum Access {
  REMOTE_READ(true, false),
  REMOTE_WRITE(false, true),
  /** Reads, writes and atomics. */
  REMOTE_ALL(true, true);

  private final boolean reads;
  private final boolean writes;

  Access(boolean reads, boolean writes) {
    this.reads = reads;
    this.writes = writes;
  }

  public boolean allowsRead() {
    return reads;
  }

  public boolean allowsWrite() {
    return writes;
  }
}
