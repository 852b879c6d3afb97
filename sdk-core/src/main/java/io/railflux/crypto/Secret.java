package io.railflux.crypto;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A shared secret and the keys derived from it alone. Immutable. */
public final class Secret {
  /** Smallest length; longer secrets should be random too. */
  public static final int MIN_BYTES = 16;

  private static final byte[] SALT = "railflux 1 secret".getBytes(StandardCharsets.UTF_8);

  private final long id;
  private final byte[] greeting;
  private final byte[] agreement;

  /** @throws IllegalArgumentException if the text is shorter than {@link #MIN_BYTES} */
  public Secret(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < MIN_BYTES) {
      throw new IllegalArgumentException("a secret must have at least " + MIN_BYTES + " bytes, has "
          + bytes.length + "; make one with: openssl rand -base64 32");
    }
    byte[] key = Kdf.extract(SALT, bytes);
    id = ByteBuffer.wrap(Kdf.expand(key, "id")).order(ByteOrder.LITTLE_ENDIAN).getLong();
    greeting = Kdf.expand(key, "greeting");
    agreement = Kdf.expand(key, "agreement");
  }

  /** Identifies the secret without revealing it. */
  public long id() {
    return id;
  }

  /** Proves a first message, before the key agreement. */
  public byte[] proveGreeting(byte[] message) {
    return Kdf.hmac(greeting, message);
  }

  byte[] agreementKey() {
    return agreement;
  }

  @Override
  public String toString() {
    return "secret " + Long.toHexString(id);
  }
}
