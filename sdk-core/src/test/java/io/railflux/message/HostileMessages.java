package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Decodes arbitrary bytes with a codec. The codec must return a value or reject the bytes. The result must not depend
 * on bytes outside of the message, and the encoding of a value must decode to an equal value.
 */
final class HostileMessages {

  private static final int MARGIN = 32;

  private record Numbers(
      byte int8, short int16, char char16, int int32, long int64, boolean bool) {}

  /** All codecs of the SDK. */
  static final List<Codec<?>> CODECS = List.of(
      Codecs.bytes(),
      Codecs.byteBuffer(),
      Codecs.utf8(),
      Codecs.int8(),
      Codecs.int16(),
      Codecs.int32(),
      Codecs.int64(),
      Codecs.float32(),
      Codecs.float64(),
      Codecs.bool(),
      Codecs.char16(),
      Codecs.record(Numbers.class),
      Codecs.record(RecordCodecTest.Order.class),
      Codecs.record(VariableRecordCodecTest.Order.class),
      Codecs.record(VariableRecordCodecTest.Sparse.class),
      Codecs.record(VariableRecordCodecTest.Tree.class),
      Codecs.record(VariableRecordCodecTest.Chain.class),
      Codecs.record(VariableRecordCodecTest.Keyed.class),
      Codecs.record(VariableRecordCodecTest.Scalars.class),
      Codecs.record(VariableRecordCodecTest.Arrays2.class),
      Codecs.record(RecordCodecTest.Empty.class),
      Codecs.flyweight("quote:1", 12, FlyweightCodecTest.Quote::new));

  private HostileMessages() {}

  static void decode(byte[] bytes) {
    CODECS.forEach(codec -> decode(codec, bytes));
  }

  static <T> void decode(Codec<T> codec, byte[] bytes) {
    byte[] first = reencoded(codec, bytes, (byte) 0x00);
    byte[] second = reencoded(codec, bytes, (byte) 0x41);

    assertArrayEquals(first, second, () -> codec + " depends on bytes outside of the message");
    if (first != null) {
      assertArrayEquals(
          first, reencoded(codec, first, (byte) 0x41), () -> codec + " does not keep its value");
    }
  }

  /** Returns the encoding of the decoded value, or null if the codec rejects the bytes. */
  private static <T> byte[] reencoded(Codec<T> codec, byte[] bytes, byte surroundings) {
    ByteBuffer ring = ByteBuffer.allocateDirect(bytes.length + 2 * MARGIN);
    while (ring.hasRemaining()) {
      ring.put(surroundings);
    }
    ring.put(MARGIN, bytes).position(MARGIN).limit(MARGIN + bytes.length);
    T value;
    try {
      value = codec.decode(ring.order(ByteOrder.LITTLE_ENDIAN));
    } catch (IllegalArgumentException refused) {
      assertFalse(refused.getMessage().isBlank());
      return null;
    }
    return Slots.encode(codec, value);
  }
}
