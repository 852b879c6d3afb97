package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BackpressureTest {

  @Test
  void producerEmitsExactlyTheRemoteDemand() {
    assertEquals(10, Backpressure.madeFor(Addresses.fresh(), 10));
  }

  @Test
  void slowConsumerLimitsTheProducer() {
    long lead = Backpressure.lead(Addresses.fresh(), 1_000);
    // 64 values wait, and each three quarters of them are replaced.
    assertTrue(lead <= 128, "the producer was " + lead + " ahead");
  }
}
