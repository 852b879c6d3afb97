package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BackpressureTest {

  @Test
  void theProducerMakesExactlyWhatTheFarSubscriberAskedFor() {
    assertEquals(10, Backpressure.madeFor(Addresses.fresh(), 10));
  }

  @Test
  void aSlowConsumerHoldsTheProducerBack() {
    long lead = Backpressure.lead(Addresses.fresh(), 1_000);
    // 64 waiting, and those it replaces three quarters at a time.
    assertTrue(lead <= 128, "the producer was " + lead + " ahead");
  }
}
