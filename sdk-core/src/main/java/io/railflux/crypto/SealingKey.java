package io.railflux.crypto;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals or opens one direction of one purpose. The number of the content is the nonce, so each number must be used
 * once. Single-threaded. Each call allocates a nonce object, and the ciphers of the JDK allocate more.
 */
public final class SealingKey {
  /** Number of bytes that sealing adds. */
  public static final int TAG_BYTES = CipherSuite.TAG_BYTES;

  private static final int NONCE_BYTES = 12;

  private final CipherSuite suite;
  private final Cipher cipher;
  private byte[] bytes;
  private SecretKeySpec key;

  /** @param key 32 bytes, not copied */
  public SealingKey(CipherSuite suite, byte[] key) {
    this.suite = suite;
    this.cipher = suite.cipher();
    use(key);
  }

  private void use(byte[] newBytes) {
    bytes = newBytes;
    key = new SecretKeySpec(newBytes, suite.keyAlgorithm());
  }

  /** Switches to the next key, from which this key cannot be derived. */
  public void advance() {
    byte[] next = Kdf.expand(bytes, "next");
    Arrays.fill(bytes, (byte) 0);
    use(next);
  }

  /**
   * Seals {@code length} bytes into {@code target}, {@link #TAG_BYTES} more.
   *
   * @param number never used with this key before
   * @param known additional data, which is authenticated and not encrypted
   */
  public void seal(
      long number, byte[] known, byte[] source, int length, byte[] target, int targetOffset) {
    seal(0, number, known, source, length, target, targetOffset);
  }

  /**
   * Seals under a number of 96 bits, never used with this key before.
   *
   * @param high highest 32 bits of the number
   */
  public void seal(
      int high,
      long number,
      byte[] known,
      byte[] source,
      int length,
      byte[] target,
      int targetOffset) {
    try {
      begin(Cipher.ENCRYPT_MODE, high, number, known);
      cipher.doFinal(source, 0, length, target, targetOffset);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot seal: " + e.getMessage(), e);
    }
  }

  /**
   * Opens {@code length} bytes, tag included, of {@code source}. No other thread or process may change {@code source}
   * meanwhile.
   *
   * @return whether the bytes are authentic; otherwise {@code target} contains none of them
   */
  public boolean open(long number, byte[] known, byte[] source, int length, byte[] target) {
    return open(0, number, known, source, length, target);
  }

  /**
   * Opens bytes that were sealed under a number of 96 bits.
   *
   * @param high highest 32 bits of the number
   */
  public boolean open(
      int high, long number, byte[] known, byte[] source, int length, byte[] target) {
    if (length < TAG_BYTES) {
      return false;
    }
    try {
      begin(Cipher.DECRYPT_MODE, high, number, known);
      cipher.doFinal(source, 0, length, target, 0);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot open: " + e.getMessage(), e);
    }
  }

  private void begin(int mode, int high, long number, byte[] known)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    byte[] nonce = new byte[NONCE_BYTES];
    put(high, nonce, 0, Integer.BYTES);
    put(number, nonce, Integer.BYTES, Long.BYTES);
    cipher.init(mode, key, suite.nonce(nonce));
    cipher.updateAAD(known);
  }

  private static void put(long value, byte[] target, int offset, int bytes) {
    for (int i = 0; i < bytes; i++) {
      target[offset + i] = (byte) (value >>> (Byte.SIZE * i));
    }
  }
}
