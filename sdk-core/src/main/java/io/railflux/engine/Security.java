package io.railflux.engine;

import io.railflux.crypto.CipherSuite;
import io.railflux.fabric.Protection;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import io.railflux.wire.Authentication;

/**
 * Who may come in and how frames travel, as an engine is told at its start.
 *
 * @param secrets null when peers need none
 * @param encryption when frames are sealed, where there is a secret
 * @param cipher the one this side likes best
 * @param unauthenticated whether everybody may come in where nothing authenticates
 */
public record Security(
    SecretSource secrets, Encryption encryption, CipherSuite cipher, boolean unauthenticated) {

  public static final Security DEFAULT =
      new Security(null, Encryption.AUTO, CipherSuite.AES_256_GCM, false);

  public Security withSecrets(SecretSource source) {
    return new Security(source, encryption, cipher, unauthenticated);
  }

  public Security withEncryption(Encryption when) {
    return new Security(secrets, when, cipher, unauthenticated);
  }

  public Security withCipher(CipherSuite preferred) {
    return new Security(secrets, encryption, preferred, unauthenticated);
  }

  public Security withUnauthenticated(boolean allowed) {
    return new Security(secrets, encryption, cipher, allowed);
  }

  /** What this side wants of the frames of an endpoint, as {@link Authentication#sealing} tells it. */
  int sealing(Protection protection) {
    if (secrets == null || encryption == Encryption.NEVER) {
      return Authentication.NEVER;
    }
    boolean needed = encryption == Encryption.ALWAYS || !protection.isConfidential();
    return needed ? Authentication.MUST : Authentication.MAY;
  }

  /** What is wrong with a connection this side made, for the log; null when nothing is. */
  String concern(Protection protection) {
    if (secrets != null || unauthenticated || protection != Protection.NONE) {
      return null;
    }
    return "nothing shows that the right one answers there, and what is sent can be read and changed"
        + " on the way: give both nodes a secret with Railflux.secret(...), use TLS, or say"
        + " Railflux.allowUnauthenticated() if that is as wanted";
  }

  /** Why nobody may listen there, or null. */
  String objection(Protection protection) {
    if (secrets != null
        || unauthenticated
        || protection.isLocal()
        || protection.authenticatesConnector()) {
      return null;
    }
    return "anybody who reaches it could connect: give the node a secret with Railflux.secret(...),"
        + " use TLS with client certificates, listen on a loopback address, or say"
        + " Railflux.allowUnauthenticated() if everybody may";
  }
}
