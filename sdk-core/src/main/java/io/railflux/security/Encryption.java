package io.railflux.security;

/** Condition for encrypting and authenticating each frame. Encryption needs a secret. */
public enum Encryption {
  /** Encrypts frames that other hosts could read or change: beyond this host, without TLS. */
  AUTO,

  /** Encrypts frames on every fabric, including shared memory. */
  ALWAYS,

  /** Encrypts no frame. Peers with {@link #ALWAYS} are refused. */
  NEVER
}
