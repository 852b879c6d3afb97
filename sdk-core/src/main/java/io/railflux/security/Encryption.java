package io.railflux.security;

/** When the frames to a peer are encrypted and authenticated one by one. Needs a secret. */
public enum Encryption {
  /** Where the network could read or change them: beyond this host, unless TLS sees to it. */
  AUTO,

  /** On every fabric, shared memory included. */
  ALWAYS,

  /** Nowhere. A peer that wants it is refused. */
  NEVER
}
