package io.railflux.engine.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The limit of repeated warnings. */
class RepeatedWarningTest {

  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final RepeatedWarning warning = new RepeatedWarning();

  @Test
  void reportsTheFirstAndThenOneAMinuteWithTheNumberOfOthers() {
    assertTrue(warning.isDue(5));
    assertEquals("", warning.sinceLastReport());
    assertFalse(warning.isDue(6));
    assertFalse(warning.isDue(4 + MINUTE_NANOS));
    assertTrue(warning.isDue(5 + MINUTE_NANOS));
    assertEquals("; 2 similar failures since the last report", warning.sinceLastReport());
    assertTrue(warning.isDue(5 + 2 * MINUTE_NANOS));
    assertEquals("", warning.sinceLastReport());
  }
}
