package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ArrivalPaceTest {

  private static final long WINDOW = IdleStrategy.ArrivalPace.WINDOW_NANOS;
  private static final int FAST = IdleStrategy.ArrivalPace.FAST_MESSAGES;

  private final IdleStrategy.ArrivalPace pace = new IdleStrategy.ArrivalPace(0);

  @Test
  void isSlowUntilAWindowHasPassed() {
    assertFalse(pace.isFast(WINDOW - 1, 1_000));
    assertTrue(pace.isFast(WINDOW, 1_000));
  }

  @Test
  void decidesByTheRateForAnyLengthOfTheWindow() {
    assertFalse(pace.isFast(10 * WINDOW, 10 * FAST - 1));
    assertTrue(pace.isFast(20 * WINDOW, 20 * FAST));
  }

  @Test
  void forgetsABurst() {
    assertTrue(pace.isFast(WINDOW, FAST));
    assertFalse(pace.isFast(2 * WINDOW, FAST + 1));
  }

  @Test
  void staysFastWithinAWindow() {
    assertTrue(pace.isFast(WINDOW, FAST));
    assertTrue(pace.isFast(WINDOW + 1, FAST));
  }
}
