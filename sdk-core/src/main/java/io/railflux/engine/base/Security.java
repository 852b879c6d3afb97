package io.railflux.engine.base;

import io.railflux.crypto.CipherSuite;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.Protection;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import io.railflux.wire.handshake.Authentication;

/**
 * Authentication of peers and protection of frames.
 *
 * @param secrets null if peers need none
 * @param encryption when frames are sealed, if a secret exists
 * @param cipher preferred cipher of this side
 * @param unauthenticated whether any peer may connect where no mechanism authenticates it
 * @param checksum whether unsealed frames carry checksums
 */
public record Security(
    SecretSource secrets,
    Encryption encryption,
    CipherSuite cipher,
    boolean unauthenticated,
    Checksum checksum) {

  public static final Security DEFAULT =
      new Security(null, Encryption.AUTO, CipherSuite.AES_256_GCM, false, Checksum.ALLOWED);

  public Security withSecrets(SecretSource source) {
    return new Security(source, encryption, cipher, unauthenticated, checksum);
  }

  public Security withEncryption(Encryption when) {
    return new Security(secrets, when, cipher, unauthenticated, checksum);
  }

  public Security withCipher(CipherSuite preferred) {
    return new Security(secrets, encryption, preferred, unauthenticated, checksum);
  }

  public Security withUnauthenticated(boolean allowed) {
    return new Security(secrets, encryption, cipher, allowed, checksum);
  }

  public Security withChecksum(Checksum wanted) {
    return new Security(secrets, encryption, cipher, unauthenticated, wanted);
  }

  /** Returns the checksum for a fabric: none where TLS or sealing detects every change. */
  public Checksum checksum(Protection protection) {
    boolean authenticated = protection == Protection.TLS
        || protection == Protection.TLS_MUTUAL
        || sealing(protection) == Authentication.MUST;
    return authenticated ? Checksum.ALLOWED : checksum;
  }

  /** Returns the sealing that this side wants for an endpoint, as in {@link Authentication#sealing}. */
  public int sealing(Protection protection) {
    if (secrets == null || encryption == Encryption.NEVER) {
      return Authentication.NEVER;
    }
    boolean needed = encryption == Encryption.ALWAYS || !protection.isConfidential();
    return needed ? Authentication.MUST : Authentication.MAY;
  }

  /** Returns a warning for the log about a connection that this side made; null without any. */
  public String concern(Protection protection) {
    if (secrets != null || unauthenticated || protection != Protection.NONE) {
      return null;
    }
    return "the peer is not authenticated, and the network can read and change the frames: give both"
        + " nodes a secret with Railflux.secret(...), use TLS, or call Railflux.allowUnauthenticated()"
        + " if this is intended";
  }

  /** Returns why listening is not allowed at this address, or null. */
  public String objection(Protection protection) {
    if (secrets != null
        || unauthenticated
        || protection.isLocal()
        || protection.authenticatesConnector()) {
      return null;
    }
    return "any host that reaches it could connect: give the node a secret with Railflux.secret(...),"
        + " use TLS with client certificates, listen on a loopback address, or call"
        + " Railflux.allowUnauthenticated() if any host may connect";
  }
}
