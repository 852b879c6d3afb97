package io.railflux.crypto;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** Authenticated ciphers with keys of 32 bytes. */
public enum CipherSuite {
  /** NIST SP 800-38D. Fast on processors with AES instructions. */
  AES_256_GCM(1, "AES/GCM/NoPadding", "AES"),

  /** RFC 8439. Faster on other processors. */
  CHACHA20_POLY1305(2, "ChaCha20-Poly1305", "ChaCha20");

  /** Bytes that sealing adds. */
  public static final int TAG_BYTES = 16;

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private final int bit;
  private final String transformation;
  private final String keyAlgorithm;

  CipherSuite(int bit, String transformation, String keyAlgorithm) {
    this.bit = bit;
    this.transformation = transformation;
    this.keyAlgorithm = keyAlgorithm;
  }

  /** Returns the bit of the cipher on the wire. */
  public int bit() {
    return bit;
  }

  /** Returns the bits of all ciphers. */
  public static int all() {
    return AES_256_GCM.bit | CHACHA20_POLY1305.bit;
  }

  /** Returns the preferred cipher if it is among {@code bits}, otherwise another one; null without any. */
  public static CipherSuite among(int bits, CipherSuite preferred) {
    if ((bits & preferred.bit) != 0) {
      return preferred;
    }
    for (CipherSuite suite : values()) {
      if ((bits & suite.bit) != 0) {
        return suite;
      }
    }
    return null;
  }

  /** Returns the faster cipher of this machine. Reads a file; not on an engine thread. */
  public static CipherSuite fastestHere() {
    String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    boolean known = architecture.equals("amd64") || architecture.equals("x86_64");
    return known && hasInstructions() ? AES_256_GCM : CHACHA20_POLY1305;
  }

  private static boolean hasInstructions() {
    if (!Files.isReadable(CPU_INFO)) {
      // Other systems: processors of the last ten years have the instructions.
      return true;
    }
    try {
      String info = Files.readString(CPU_INFO, StandardCharsets.ISO_8859_1);
      return info.contains(" aes ") && info.contains(" pclmulqdq ");
    } catch (IOException e) {
      return true;
    }
  }

  Cipher cipher() {
    try {
      return Cipher.getInstance(transformation);
    } catch (GeneralSecurityException e) {
      throw Kdf.missing(e);
    }
  }

  String keyAlgorithm() {
    return keyAlgorithm;
  }

  AlgorithmParameterSpec nonce(byte[] nonce) {
    return this == AES_256_GCM
        ? new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce)
        : new IvParameterSpec(nonce);
  }
}
