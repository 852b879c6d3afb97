package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.wire.Metadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class HeadersTest {

  @Test
  void emptyHeadersUseNoBytes() {
    assertEquals(0, Headers.empty().size());
    assertEquals(0, Headers.empty().encodedBytes());
    assertTrue(Headers.empty().isEmpty());
    assertEquals(List.of(), Headers.empty().names());
    assertEquals(Optional.empty(), Headers.empty().text("trace"));
    assertEquals(Optional.empty(), Headers.empty().get("trace"));
  }

  @Test
  void addingDoesNotChangeTheOriginal() {
    Headers one = Headers.empty().with("a", "1");
    Headers two = one.with("b", new byte[] {2});
    assertEquals(List.of("a"), one.names());
    assertEquals(List.of("a", "b"), two.names());
    assertEquals(Optional.of("1"), two.text("a"));
    assertArrayEquals(new byte[] {2}, two.get("b").orElseThrow());
    assertFalse(two.isEmpty());
  }

  @Test
  void sameNameReplacesInPlace() {
    Headers headers = Headers.empty().with("a", "1").with("b", "2").with("a", "3");
    assertEquals(List.of("a", "b"), headers.names());
    assertEquals(Optional.of("3"), headers.text("a"));
  }

  @Test
  void arraysAreCopiedInAndOut() {
    byte[] value = {1};
    Headers headers = Headers.empty().with("a", value);
    value[0] = 2;
    headers.get("a").orElseThrow()[0] = 3;
    assertArrayEquals(new byte[] {1}, headers.get("a").orElseThrow());
  }

  @Test
  void allowsHeadersUpToTheLimit() {
    int room = Headers.MAX_ENCODED_BYTES - 1 - 4 - 1;
    assertEquals(
        Headers.MAX_ENCODED_BYTES, Headers.empty().with("a", new byte[room]).encodedBytes());
    Exception refusal = assertThrows(
        IllegalArgumentException.class, () -> Headers.empty().with("a", new byte[room + 1]));
    assertEquals(
        "headers would take 1025 bytes, allowed are 1024; send large values in the payload",
        refusal.getMessage());
  }

  @Test
  void namesHaveOneTo255Bytes() {
    assertRejectedName("", 0);
    assertRejectedName("x".repeat(256), 256);
    assertRejectedName("€".repeat(86), 258);
    assertEquals(1, Headers.empty().with("€".repeat(85), "v").size());
    assertThrows(NullPointerException.class, () -> Headers.empty().with(null, "v"));
  }

  @Test
  void equalityIsByNamesValuesAndOrder() {
    Headers ab = Headers.empty().with("a", "1").with("b", "2");
    assertEquals(ab, Headers.empty().with("a", "1").with("b", "2"));
    assertEquals(ab.hashCode(), Headers.empty().with("a", "1").with("b", "2").hashCode());
    assertNotEquals(ab, Headers.empty().with("b", "2").with("a", "1"));
    assertNotEquals(ab, Headers.empty().with("a", "1").with("b", "3"));
  }

  @Test
  void valuesStayOutOfLogs() {
    Headers headers = Headers.empty().with("token", "secret").with("a", "1");
    assertEquals("Headers[token=6 B, a=1 B]", headers.toString());
  }

  @Property
  void sizeEqualsTheEncodedSize(
      @ForAll @Size(max = 12)
          Map<@StringLength(min = 1, max = 20) @CharRange(from = 32, to = 0x7ff) String, String>
              entries) {
    int expected = entries.isEmpty() ? 0 : Metadata.encodedBytes(List.of());
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      expected +=
          4 + entry.getKey().getBytes(UTF_8).length + entry.getValue().getBytes(UTF_8).length;
    }
    Assume.that(expected <= Headers.MAX_ENCODED_BYTES);
    Headers headers = Headers.empty();
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      headers = headers.with(entry.getKey(), entry.getValue());
    }
    assertEquals(expected, headers.encodedBytes());
    if (!headers.isEmpty()) {
      assertEquals(Metadata.encodedBytes(onTheWire(headers)), headers.encodedBytes());
    }
  }

  @Test
  void limitEqualsTheLimitOfTheWireFormat() {
    assertEquals(Metadata.MAX_BYTES, Headers.MAX_ENCODED_BYTES);
  }

  private static List<Metadata.Entry> onTheWire(Headers headers) {
    return headers.names().stream()
        .map(name -> new Metadata.Entry(Metadata.HEADER, name, headers.get(name).orElseThrow()))
        .toList();
  }

  private static void assertRejectedName(String name, int bytes) {
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> Headers.empty().with(name, "v"));
    assertEquals("header name has " + bytes + " bytes, allowed are 1 to 255", refusal.getMessage());
  }
}
