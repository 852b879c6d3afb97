package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long the engine looks for work before it sleeps. */
class SpinTimeTest {

  private static final long MAX = 200_000;

  private final SpinTime spin = new SpinTime(MAX, 0);

  private boolean spinsAt(long nowNanos) {
    return spin.goesOn(spin.idleNanos(nowNanos));
  }

  @Test
  void sleepsAtOnceBeforeAnythingMoved() {
    assertFalse(spinsAt(0));
  }

  @Test
  void looksForTheNextMessageBehindOne() {
    spin.worked(1_000, 1);
    assertTrue(spinsAt(1_000 + MAX - 1));
    assertFalse(spinsAt(1_000 + MAX));
  }

  @Test
  void looksForNothingBehindAHeartbeat() {
    spin.worked(1_000, 1);
    spin.worked(1_000 + MAX, 1);
    assertFalse(spinsAt(1_000 + MAX));
  }

  @Test
  void looksForAShorterTimeAfterLongSleepsAndForALongerOneAfterShortOnes() {
    for (int i = 0; i < 20; i++) {
      spin.slept(10 * MAX);
    }
    spin.worked(0, 1);
    assertTrue(spinsAt(1_999));
    assertFalse(spinsAt(2_000));

    spin.slept(MAX);
    assertTrue(spinsAt(3_999));
    assertFalse(spinsAt(4_000));
    for (int i = 0; i < 20; i++) {
      spin.slept(MAX);
    }
    assertTrue(spinsAt(MAX - 1));
    assertFalse(spinsAt(MAX));
  }

  @Test
  void neverLooksWhereThatIsForbidden() {
    SpinTime none = new SpinTime(0, 0);
    none.worked(1_000, 1);
    none.slept(1);
    assertFalse(none.goesOn(none.idleNanos(1_000)));
  }
}
