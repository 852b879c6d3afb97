package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ScalarCodecTest {

  static Stream<Arguments> layouts() {
    return Stream.of(
        Arguments.of(Codecs.int8(), "int8", (byte) -2, new byte[] {-2}),
        Arguments.of(Codecs.int16(), "int16", (short) 0x0102, new byte[] {2, 1}),
        Arguments.of(Codecs.int32(), "int32", 0x01020304, new byte[] {4, 3, 2, 1}),
        Arguments.of(
            Codecs.int64(), "int64", 0x0102030405060708L, new byte[] {8, 7, 6, 5, 4, 3, 2, 1}),
        Arguments.of(Codecs.float32(), "float32", 1f, new byte[] {0, 0, (byte) 0x80, 0x3f}),
        Arguments.of(
            Codecs.float64(), "float64", 1d, new byte[] {0, 0, 0, 0, 0, 0, (byte) 0xf0, 0x3f}),
        Arguments.of(Codecs.bool(), "bool", true, new byte[] {1}),
        Arguments.of(Codecs.char16(), "char16", '\u20ac', new byte[] {(byte) 0xac, 0x20}));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("layouts")
  <T> void nameAndBytesAreTheContract(Codec<T> codec, String name, T value, byte[] expected) {
    assertEquals(name, codec.name());
    assertArrayEquals(expected, Slots.encode(codec, value));
    assertEquals(value, Slots.decode(codec, expected));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("layouts")
  <T> void wrongLengthIsRefusedWithTheCodecsName(
      Codec<T> codec, String name, T value, byte[] right) {
    for (int length : new int[] {0, right.length - 1, right.length + 1, 4096}) {
      Exception refusal =
          assertThrows(IllegalArgumentException.class, () -> Slots.decode(codec, new byte[length]));
      assertTrue(
          refusal.getMessage().startsWith("codec " + name + ": a message of " + length + " bytes"),
          refusal.getMessage());
    }
  }

  @Test
  void rejectsBooleansOtherThanZeroAndOne() {
    assertEquals(false, Slots.decode(Codecs.bool(), (byte) 0));
    assertThrows(IllegalArgumentException.class, () -> Slots.decode(Codecs.bool(), (byte) 2));
    assertThrows(IllegalArgumentException.class, () -> Slots.decode(Codecs.bool(), (byte) -1));
  }

  @Property
  void everyIntegerRoundTrips(
      @ForAll byte int8, @ForAll short int16, @ForAll int int32, @ForAll long int64) {
    assertEquals(int8, Slots.roundTrip(Codecs.int8(), int8));
    assertEquals(int16, Slots.roundTrip(Codecs.int16(), int16));
    assertEquals(int32, Slots.roundTrip(Codecs.int32(), int32));
    assertEquals(int64, Slots.roundTrip(Codecs.int64(), int64));
  }

  @Property
  void everyOtherScalarRoundTrips(
      @ForAll float float32, @ForAll double float64, @ForAll char char16, @ForAll boolean bool) {
    assertEquals(float32, Slots.roundTrip(Codecs.float32(), float32));
    assertEquals(float64, Slots.roundTrip(Codecs.float64(), float64));
    assertEquals(char16, Slots.roundTrip(Codecs.char16(), char16));
    assertEquals(bool, Slots.roundTrip(Codecs.bool(), bool));
  }

  @Test
  void specialFloatsRoundTrip() {
    for (double value :
        new double[] {-0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE}) {
      assertEquals(value, Slots.roundTrip(Codecs.float64(), value));
      assertEquals((float) value, Slots.roundTrip(Codecs.float32(), (float) value));
    }
  }
}
