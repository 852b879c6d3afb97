package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Messages are acknowledged in order, independent of their path. */
class AcknowledgedPrefixTest {

  private final Deliveries.AcknowledgedPrefix prefix = new Deliveries.AcknowledgedPrefix();

  @Test
  void largeMessageDelaysLaterAcknowledgements() {
    prefix.sent(2);

    assertEquals(1, prefix.length(1));
    assertEquals(2, prefix.length(2));
    assertEquals(2, prefix.length(5));
    prefix.over(2, true);
    assertEquals(6, prefix.length(5));
  }

  @Test
  void largeMessageWaitsForEarlierAcknowledgements() {
    prefix.sent(3);
    prefix.over(3, true);

    assertEquals(2, prefix.length(2));
    assertEquals(4, prefix.length(3));
  }

  @Test
  void largeMessagesCountInOrder() {
    prefix.sent(0);
    prefix.sent(1);
    prefix.sent(3);
    prefix.over(1, true);

    assertEquals(0, prefix.length(0));
    prefix.over(0, true);
    assertEquals(2, prefix.length(0));
    assertEquals(3, prefix.length(1));
    assertEquals(1, prefix.open());
    prefix.over(3, true);
    assertEquals(4, prefix.length(1));
    assertEquals(0, prefix.waiting());
  }

  @Test
  void unwantedMessagesAreNeverAcknowledged() {
    prefix.sent(1);
    prefix.over(1, false);

    assertEquals(0, prefix.open());
    assertEquals(1, prefix.length(7));
  }
}
