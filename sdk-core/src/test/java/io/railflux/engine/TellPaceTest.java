package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How far a ring was read is told soon, and for many messages together. */
@Tag("CH1")
class TellPaceTest {

  private static final int RING_BYTES = 1 << 20;
  private static final int MUCH = TellPace.LITTLE_BYTES + 1;

  private final TellPace pace = new TellPace(RING_BYTES);

  @Test
  void littleIsToldAtOnce() {
    assertTrue(pace.isDue(64, 0, 1));
    assertTrue(pace.isDue(64 + TellPace.LITTLE_BYTES, 64, 1));
  }

  @Test
  void whatIsReadWhileMoreComesIsToldTogether() {
    assertFalse(pace.isDue(MUCH, 0, 1));
    assertFalse(pace.isDue(2 * MUCH, 0, 2));
    assertFalse(pace.isDue(RING_BYTES / 8 - 1, 0, TellPace.MANY_FRAMES - 1));
  }

  @Test
  void theCycleThatReadsNothingMoreTells() {
    assertFalse(pace.isDue(MUCH, 0, 1));
    assertTrue(pace.isDue(MUCH, 0, 1));
  }

  @Test
  void aSenderNeverWaitsForMoreThanAPartOfItsRing() {
    assertTrue(pace.isDue(RING_BYTES / 8, 0, 1));
  }

  @Test
  void aSenderNeverWaitsForManyFrames() {
    assertTrue(pace.isDue(MUCH, 0, TellPace.MANY_FRAMES));
  }

  @Test
  void anAcknowledgementWithoutBytesIsToldAtOnce() {
    assertFalse(pace.isDue(MUCH, 0, 1));
    assertTrue(pace.isDue(MUCH, MUCH, 1));
  }
}
