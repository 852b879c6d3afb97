package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Acts as the engine: claims an entry in the middle of a ring, encodes and decodes. */
final class Slots {

  private static final int START = 24;
  private static final byte CANARY = 0x5a;

  private Slots() {}

  /** Returns the encoded bytes, after verifying that the codec stayed within its claim. */
  static <T> byte[] encode(Codec<T> codec, T value) {
    int claimed = codec.maxEncodedBytes(value);
    ByteBuffer ring = ring(START + claimed + 16);
    codec.encode(value, ring.position(START).limit(START + claimed));
    int end = ring.position();
    assertTrue(end >= START && end <= START + claimed, "position after encode: " + end);
    assertEquals(START + claimed, ring.limit(), "limit after encode");
    ring.clear();
    for (int i = 0; i < ring.capacity(); i++) {
      if (i < START || i >= START + claimed) {
        assertEquals(CANARY, ring.get(i), "byte outside the claim, at " + i);
      }
    }
    byte[] encoded = new byte[end - START];
    ring.get(START, encoded);
    return encoded;
  }

  static <T> T decode(Codec<T> codec, byte... message) {
    return codec.decode(slot(message));
  }

  /** Encodes and decodes a value, and destroys the slot before the value is inspected. */
  static <T> T roundTrip(Codec<T> codec, T value) {
    ByteBuffer slot = slot(encode(codec, value));
    T decoded = codec.decode(slot);
    slot.clear();
    while (slot.hasRemaining()) {
      slot.put(CANARY);
    }
    return decoded;
  }

  static ByteBuffer slot(byte... message) {
    ByteBuffer ring = ring(START + message.length + 16);
    return ring.put(START, message).position(START).limit(START + message.length);
  }

  private static ByteBuffer ring(int capacity) {
    ByteBuffer ring = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    while (ring.hasRemaining()) {
      ring.put(CANARY);
    }
    return ring;
  }
}
