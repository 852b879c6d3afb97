package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What of a stream its peer has: messages of either kind, and the end. */
class DeliveriesTest {

  private final Deliveries deliveries = new Deliveries();

  @Test
  void theFrameOfTheEndIsNoMessage() {
    deliveries.ringAcknowledged(2);
    assertEquals(2, deliveries.advance(2));
    assertTrue(deliveries.isComplete(2), "nothing more was sent");
    deliveries.endFrameSent();
    assertFalse(deliveries.isComplete(2), "its end is not there");
    deliveries.ringAcknowledged(1);

    assertEquals(0, deliveries.advance(2));
    assertTrue(deliveries.isComplete(2));
  }

  @Test
  void aLargeMessageIsNoFrameOfTheRing() {
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
  void whatThePeerSaysItHadCountsOnce() {
    assertEquals(3, deliveries.advanceTo(3));
    assertEquals(0, deliveries.advanceTo(2));

    assertEquals(3, deliveries.acknowledged());
  }
}
