package io.railflux.fabric;

/**
 * What stands between an endpoint's bytes and others, as its fabric sees to it. The engine seals frames
 * where this leaves them readable to the network, and does not listen where anybody may come in.
 */
public enum Protection {
  /** Memory of one host; the kernel tells that the same user is at the other end. */
  SAME_HOST,

  /** Nothing leaves this host, but any user of it may connect. */
  LOOPBACK,

  /** A network that may read, change, replay and invent what it carries. */
  NONE,

  /** TLS; only the accepting side has shown a certificate. */
  TLS,

  /** TLS; both sides have shown certificates that the other trusts. */
  TLS_MUTUAL;

  /** Whether the bytes stay on this host. */
  public boolean isLocal() {
    return this == SAME_HOST || this == LOOPBACK;
  }

  /** Whether the network can neither read nor change them. */
  public boolean isConfidential() {
    return this != NONE;
  }

  /** Whether the accepting side knows by the fabric alone that the connecting one may come in. */
  public boolean authenticatesConnector() {
    return this == SAME_HOST || this == TLS_MUTUAL;
  }
}
