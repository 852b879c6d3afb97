package io.railflux.rehearsal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RehearsalTest {

  @Test
  void connectsAndExchangesMessagesInBothDirections() throws Exception {
    assertTrue(Rehearsal.run());
  }
}
