package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MetricsTest {

  @Test
  void meterCountsSentMessages() {
    assertEquals(1_000, Metrics.run(Addresses.fresh()));
  }
}
