package io.railflux.crypto;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** One shared secret and what is derived of it alone. Immutable. */
public final class Secret {
  /** Shorter ones are refused; also longer ones should be random, not words. */
  public static final int MIN_BYTES = 16;

  private static final byte[] SALT = "railflux 1 secret".getBytes(StandardCharsets.UTF_8);

  private final long id;
  private final byte[] greeting;
  private final byte[] agreement;

  /** @throws IllegalArgumentException when it is shorter than {@link #MIN_BYTES} */
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

  /** Tells the secret from others; nothing about it. */
  public long id() {
    return id;
  }

  /** Proof of a first message, before anything was agreed on. */
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
