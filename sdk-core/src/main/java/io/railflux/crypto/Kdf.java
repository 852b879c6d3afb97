package io.railflux.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 and key derivation by HKDF (RFC 5869). Any thread. */
public final class Kdf {
  /** Size of digests, proofs and keys in bytes. */
  public static final int BYTES = 32;

  private static final String HMAC = "HmacSHA256";
  private static final String PREFIX = "railflux 1 ";

  private Kdf() {}

  /** Returns the digest of the concatenated parts. */
  public static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (GeneralSecurityException e) {
      throw missing(e);
    }
  }

  /** Returns the proof of the concatenated parts under a non-empty key. */
  public static byte[] hmac(byte[] key, byte[]... parts) {
    Mac mac = mac(key);
    for (byte[] part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  /** Returns a reusable keyed HMAC-SHA256. */
  static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw missing(e);
    }
  }

  /** HKDF-Extract (RFC 5869, 2.2): one strong key of the parts. */
  static byte[] extract(byte[] salt, byte[]... parts) {
    return hmac(salt, parts);
  }

  /** HKDF-Expand (RFC 5869, 2.3): a key for one purpose. */
  static byte[] expand(byte[] key, String purpose) {
    return hmac(key, (PREFIX + purpose).getBytes(StandardCharsets.UTF_8), new byte[] {1});
  }

  static byte[] expand(byte[] key, String purpose, int bytes) {
    return Arrays.copyOf(expand(key, purpose), bytes);
  }

  /** Every JDK from 17 on has the algorithms used here. */
  static IllegalStateException missing(GeneralSecurityException e) {
    return new IllegalStateException("this JDK lacks cryptography: " + e.getMessage(), e);
  }
}
