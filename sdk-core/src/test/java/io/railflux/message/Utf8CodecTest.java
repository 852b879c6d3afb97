package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.constraints.UniqueChars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8CodecTest {

  private final Codec<String> utf8 = Codecs.utf8();

  @Property
  void encodesExactlyAsTheJdkDoes(@ForAll @StringLength(max = 400) String value) {
    assertArrayEquals(value.getBytes(UTF_8), Slots.encode(utf8, value));
  }

  @Property
  void asciiRoundTrips(
      @ForAll @StringLength(max = 400) @CharRange(from = 0, to = 127) String value) {
    assertEquals(value, Slots.roundTrip(utf8, value));
  }

  @Property
  void mixedWidthsRoundTrip(@ForAll @UniqueChars @CharRange(from = 1, to = 0xd7ff) String value) {
    assertEquals(value, Slots.roundTrip(utf8, value));
  }

  @Property
  void anyBytesDecodeToSomeText(@ForAll byte[] hostile) {
    assertEquals(new String(hostile, UTF_8), Slots.decode(utf8, hostile));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 23, 24, 25, 128, 255, 256, 257, 5000})
  void lengthsAroundTheThresholdsRoundTrip(int chars) {
    for (String unit : new String[] {"x", "ü", "€", "x€"}) {
      String value = unit.repeat(chars);
      assertEquals(value, Slots.roundTrip(utf8, value));
    }
    String emoji = "🚂".repeat(chars);
    assertEquals(emoji, Slots.roundTrip(utf8, emoji));
  }

  @Test
  void longTextClaimsItsExactSize() {
    assertEquals(5000, utf8.maxEncodedBytes("x".repeat(5000)));
    assertEquals(10_000, utf8.maxEncodedBytes("ü".repeat(5000)));
    assertEquals(15_000, utf8.maxEncodedBytes("€".repeat(5000)));
    assertEquals(20_000, utf8.maxEncodedBytes("🚂".repeat(5000)));
  }

  @Test
  void lateNonAsciiCharacterDoesNotDisturbWrittenBytes() {
    assertEquals("abcdefghijü", Slots.roundTrip(utf8, "abcdefghijü"));
  }

  @Test
  void surrogateWithoutPartnerBecomesQuestionMark() {
    assertEquals("a?b", Slots.roundTrip(utf8, "a\ud800b"));
    String longText = "\udc00".repeat(300);
    assertTrue(utf8.maxEncodedBytes(longText) >= 300);
    assertEquals("?".repeat(300), Slots.roundTrip(utf8, longText));
  }

  @Test
  void malformedBytesBecomeReplacementCharacters() {
    assertEquals("\ufffdA", Slots.decode(utf8, (byte) 0xc3, (byte) 'A'));
  }
}
