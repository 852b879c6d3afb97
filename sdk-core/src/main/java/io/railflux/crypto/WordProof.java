package io.railflux.crypto;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;

/** Proves three numbers by 128 bits of HMAC-SHA256. Single-threaded. */
public final class WordProof {
  private static final int WORDS = 3;

  private final Mac mac;
  private final byte[] input = new byte[WORDS * Long.BYTES];
  private final ByteBuffer words = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] output = new byte[Kdf.BYTES];
  private final ByteBuffer proof = ByteBuffer.wrap(output).order(ByteOrder.LITTLE_ENDIAN);

  /** @param key 32 bytes */
  public WordProof(byte[] key) {
    mac = Kdf.mac(key);
  }

  /** Computes the proof, which {@link #low} and {@link #high} return. */
  public void compute(long first, long second, long third) {
    words.putLong(0, first).putLong(Long.BYTES, second).putLong(2 * Long.BYTES, third);
    mac.update(input);
    try {
      mac.doFinal(output, 0);
    } catch (GeneralSecurityException e) {
      throw Kdf.missing(e);
    }
  }

  /** Returns the first 64 bits. */
  public long low() {
    return proof.getLong(0);
  }

  /** Returns the next 64 bits. */
  public long high() {
    return proof.getLong(Long.BYTES);
  }

  /** Whether both values equal the last {@link #compute}. */
  public boolean matches(long low, long high) {
    return ((low ^ low()) | (high ^ high())) == 0;
  }
}
