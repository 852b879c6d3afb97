package io.railflux.fabric;

/**
 * Whether frames of a connection carry a CRC-32C, which detects accidental changes by cards, cables, switches and
 * proxies. Deliberate changes include a new checksum.
 *
 * <p>The setting applies to fabrics whose network checks less, currently TCP only. If either side prefers or requires
 * checksums, both directions carry them.
 */
public enum Checksum {
  /** This side requests no checksums, and carries them if the peer requests them. */
  ALLOWED,

  /** This side requests checksums, and accepts peers of versions without them. */
  PREFERRED,

  /** This side requests checksums, and refuses connections without them. */
  REQUIRED;

  /**
   * Returns whether this side requests checksums.
   *
   * @return false for {@link #ALLOWED}
   */
  public boolean isAsked() {
    return this != ALLOWED;
  }
}
