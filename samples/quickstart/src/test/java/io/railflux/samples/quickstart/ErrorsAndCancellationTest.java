package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ErrorsAndCancellationTest {

  @Test
  void errorOfTheProducerReachesTheConsumer() {
    assertEquals("the producer failed: no more", ErrorsAndCancellation.failing(Addresses.fresh()));
  }

  @Test
  void cancellationOfTheConsumerReachesTheProducer() {
    String outcome = ErrorsAndCancellation.cancelling(Addresses.fresh());
    assertTrue(outcome.matches("cancelled after \\d+ or more, taken 3"), outcome);
  }

  @Test
  void lostConsumerLeavesDeliveryUnknown() {
    String outcome = ErrorsAndCancellation.losing(Addresses.fresh());
    assertTrue(outcome.matches("lost after \\d+ or more"), outcome);
  }
}
