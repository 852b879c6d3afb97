/**
 * Key agreement, key derivation, proofs and sealing by the cryptography of the JDK. No state of sessions, no
 * randomness, and no I/O except the detection of processor features; callers pass random bits in. Not exported.
 */
package io.railflux.crypto;
