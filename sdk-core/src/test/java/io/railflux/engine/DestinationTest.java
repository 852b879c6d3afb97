package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("FT4")
class DestinationTest {

  private static final EngineConfig.Again AGAIN = new EngineConfig.Again(10, 70, 1);

  private final Destination destination = new Destination(new Engine.Target(null, "there"));

  @Test
  void pausesDoubleUpToTheLongest() {
    destination.trying(false);
    destination.joined(null);
    for (int i = 0; i < 6; i++) {
      assertPause(Math.min(10L << i, 70), i);
    }
  }

  @Test
  void whereNobodyEverAnsweredTheyGrowToSeconds() {
    for (int i = 0; i < 40; i++) {
      assertPause(Math.min(10L << Math.min(i, 30), 5_000_000_000L), i);
    }
  }

  private void assertPause(long longest, int random) {
    long pause = destination.nextPauseNanos(AGAIN, Long.MIN_VALUE + random);
    assertTrue(pause >= longest / 2 && pause <= longest, pause + " of " + longest);
  }

  @Test
  void chanceMakesThemShorterByUpToAHalf() {
    assertEquals(5, destination.nextPauseNanos(AGAIN, 0));
    assertEquals(20, destination.nextPauseNanos(AGAIN, 10));
  }

  @Test
  void theyMayBeAsLongAsAYear() {
    EngineConfig.Again year = new EngineConfig.Again(Long.MAX_VALUE / 300, Long.MAX_VALUE / 290, 1);
    for (int i = 0; i < 40; i++) {
      assertTrue(destination.nextPauseNanos(year, i) > Long.MAX_VALUE / 700);
    }
  }

  @Test
  void theyBeginAnewOnceItWasThere() {
    destination.nextPauseNanos(AGAIN, 0);
    destination.nextPauseNanos(AGAIN, 0);
    destination.trying(false);
    destination.joined(null);
    destination.failed();

    assertEquals(5, destination.nextPauseNanos(AGAIN, 0));
  }

  @Test
  void whatIsRemovedStaysSo() {
    destination.trying(false);
    assertNull(destination.remove());

    assertTrue(destination.isRemoved());
    assertThrows(IllegalStateException.class, () -> destination.trying(false));
  }
}
