package io.railflux.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;

/** The X25519 key (RFC 7748) of one side of one handshake. */
public final class EphemeralKey {
  private static final String ALGORITHM = "X25519";
  private static final BigInteger BASE_POINT = BigInteger.valueOf(9);
  private static final int BYTES = 32;

  private final PrivateKey privateKey;
  private final byte[] publicKey;

  /** @param random 32 secret random bytes */
  public EphemeralKey(byte[] random) {
    try {
      KeyFactory keys = KeyFactory.getInstance(ALGORITHM);
      privateKey =
          keys.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, random.clone()));
      publicKey = agree(BASE_POINT);
    } catch (GeneralSecurityException e) {
      throw Kdf.missing(e);
    }
  }

  /** Returns a copy of the 32 bytes to send. */
  public byte[] publicKey() {
    return publicKey.clone();
  }

  /**
   * Returns the shared secret of both sides.
   *
   * @throws InvalidKeyException if the other key leads to a publicly known result
   */
  public byte[] agree(byte[] otherPublicKey) throws InvalidKeyException {
    if (otherPublicKey.length != BYTES) {
      throw new InvalidKeyException(otherPublicKey.length + " bytes are no X25519 key");
    }
    byte[] bigEndian = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      bigEndian[i] = otherPublicKey[BYTES - 1 - i];
    }
    // The highest bit has no meaning (RFC 7748, 5).
    bigEndian[0] &= 0x7F;
    try {
      return agree(new BigInteger(1, bigEndian));
    } catch (InvalidKeyException e) {
      throw e;
    } catch (GeneralSecurityException e) {
      throw Kdf.missing(e);
    }
  }

  private byte[] agree(BigInteger point) throws GeneralSecurityException {
    PublicKey other = KeyFactory.getInstance(ALGORITHM)
        .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, point));
    KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
    agreement.init(privateKey);
    agreement.doPhase(other, true);
    return agreement.generateSecret();
  }
}
