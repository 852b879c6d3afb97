package io.railflux.samples.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class DemoResultTest {

  private static DemoResult of(long sent, long received, boolean checksumOk) {
    return new DemoResult(
        "shm", 1, sent, received, sent - received, 0, 0, checksumOk, null, null, 1, 1, 0);
  }

  @Test
  void acceptsACompleteRun() {
    assertNull(of(5, 5, true).objection(false));
  }

  @Test
  void rejectsLostAndChangedEvents() {
    String objection = "what the sink received is not what the source sent";
    assertEquals(objection, of(5, 4, true).objection(false));
    assertEquals(objection, of(5, 5, false).objection(false));
  }

  @Test
  void acceptsNoEventsForAnEmptyFileOnly() {
    assertNull(of(0, 0, true).objection(true));
    assertEquals(
        "the source had no time to send anything; give it more --seconds",
        of(0, 0, true).objection(false));
  }
}
