/**
 * What the JDK's cryptography is used for, in one place: key agreement, key derivation, proofs and sealing.
 * No state of sessions, no randomness and no I/O but the look at this machine's abilities: whoever needs
 * random bits passes them in. Not exported.
 */
package io.railflux.crypto;
