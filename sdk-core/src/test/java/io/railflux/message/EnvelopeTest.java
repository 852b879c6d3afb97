package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.message.Receipt.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnvelopeTest {

  @Test
  void plainEnvelopeHasPayloadOnly() {
    Envelope<String> envelope = Envelope.of("hello");
    assertEquals("hello", envelope.payload());
    assertEquals(Headers.empty(), envelope.headers());
    assertNull(envelope.timeToLive());
    assertEquals(Map.of(), envelope.context());
    assertThrows(NullPointerException.class, () -> Envelope.of(null));
  }

  @Test
  void eachPartIsAddedToACopy() {
    Envelope<String> plain = Envelope.of("hello");
    Envelope<String> full = plain
        .withHeader("trace", "42")
        .withHeader("raw", new byte[] {7})
        .withTimeToLive(Duration.ofMillis(5))
        .withContext(Map.of("user", "ada"));
    assertEquals(Optional.of("42"), full.headers().text("trace"));
    assertArrayEquals(new byte[] {7}, full.headers().get("raw").orElseThrow());
    assertEquals(Duration.ofMillis(5), full.timeToLive());
    assertEquals(Map.of("user", "ada"), full.context());
    assertEquals(Envelope.of("hello"), plain);
    assertEquals(
        plain, full.withHeaders(Headers.empty()).withTimeToLive(null).withContext(Map.of()));
  }

  @Test
  void timeToLiveIsPositiveAndFitsTheWire() {
    Envelope<String> envelope = Envelope.of("hello");
    for (Duration wrong : new Duration[] {
      Duration.ZERO, Duration.ofNanos(-1), Duration.ofNanos(Long.MAX_VALUE).plusNanos(1)
    }) {
      Exception refusal =
          assertThrows(IllegalArgumentException.class, () -> envelope.withTimeToLive(wrong));
      assertEquals(
          "time to live must be positive and at most 106751 days, or null for none: " + wrong,
          refusal.getMessage());
    }
  }

  @Test
  void contextIsCopied() {
    Map<String, String> entries = new HashMap<>(Map.of("user", "ada"));
    Envelope<String> envelope = Envelope.of("hello").withContext(entries);
    entries.clear();
    assertEquals(Map.of("user", "ada"), envelope.context());
  }

  @Test
  void receiptsCountFromZero() {
    assertEquals(Outcome.EXPIRED, new Receipt(0, Outcome.EXPIRED).outcome());
    assertThrows(IllegalArgumentException.class, () -> new Receipt(-1, Outcome.ACKNOWLEDGED));
    assertThrows(NullPointerException.class, () -> new Receipt(0, null));
  }
}
