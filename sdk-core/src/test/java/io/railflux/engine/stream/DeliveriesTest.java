package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The part of a stream that its peer received: messages of either kind, and the end. */
class DeliveriesTest {

  private final Deliveries deliveries = new Deliveries();

  @Test
  void frameOfTheEndIsNoMessage() {
    deliveries.ringAcknowledged(2);
    assertEquals(2, deliveries.advance(2));
    assertTrue(deliveries.isComplete(2), "no further message was sent");
    deliveries.endFrameSent();
    assertFalse(deliveries.isComplete(2), "its end has not arrived");
    deliveries.ringAcknowledged(1);

    assertEquals(0, deliveries.advance(2));
    assertTrue(deliveries.isComplete(2));
  }

  @Test
  void largeMessageIsNoFrameOfTheRing() {
    deliveries.ringAcknowledged(1);
    deliveries.largeSent(1);
    assertEquals(1, deliveries.largeOpen());
    assertEquals(1, deliveries.advance(2));
    assertFalse(deliveries.isComplete(2));
    deliveries.largeOver(1, true);

    assertEquals(1, deliveries.advance(2));
    assertEquals(2, deliveries.acknowledged());
    assertTrue(deliveries.isComplete(2));
  }

  @Test
  void reportOfThePeerCountsOnce() {
    assertEquals(3, deliveries.advanceTo(3));
    assertEquals(0, deliveries.advanceTo(2));

    assertEquals(3, deliveries.acknowledged());
  }
}
