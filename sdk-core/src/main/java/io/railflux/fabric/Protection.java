package io.railflux.fabric;

/**
 * Protection of the bytes of an endpoint by its fabric. The engine seals frames that the network could read, and does
 * not listen at addresses that any host could connect to.
 */
public enum Protection {
  /** Memory of one host; the kernel verifies that the same user is at the other end. */
  SAME_HOST,

  /** Bytes do not leave this host, but any of its users may connect. */
  LOOPBACK,

  /** The network may read, change, replay and inject bytes. */
  NONE,

  /** TLS; only the accepting side has shown a certificate. */
  TLS,

  /** TLS; both sides have shown certificates that the other side trusts. */
  TLS_MUTUAL;

  /**
   * Returns whether the bytes stay on this host.
   *
   * @return true for {@link #SAME_HOST} and {@link #LOOPBACK}
   */
  public boolean isLocal() {
    return this == SAME_HOST || this == LOOPBACK;
  }

  /**
   * Returns whether the network can neither read nor change the bytes.
   *
   * @return false for {@link #NONE}
   */
  public boolean isConfidential() {
    return this != NONE;
  }

  /**
   * Returns whether the fabric alone authenticates the connecting side.
   *
   * @return true for {@link #SAME_HOST} and {@link #TLS_MUTUAL}
   */
  public boolean authenticatesConnector() {
    return this == SAME_HOST || this == TLS_MUTUAL;
  }
}
