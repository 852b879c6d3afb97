package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("FT4")
class DestinationTest {

  private static final EngineConfig.Timing TIMING =
      EngineConfig.Timing.DEFAULT.withReconnectNanos(10, 70);

  private final Destination destination = new Destination(new Engine.Target(null, "there"));

  @Test
  void pausesDoubleUpToTheLongest() {
    destination.trying();
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
    long pause = destination.nextPauseNanos(TIMING, Long.MIN_VALUE + random);
    assertTrue(pause >= longest / 2 && pause <= longest, pause + " of " + longest);
  }

  @Test
  void chanceMakesThemShorterByUpToAHalf() {
    assertEquals(5, destination.nextPauseNanos(TIMING, 0));
    assertEquals(20, destination.nextPauseNanos(TIMING, 10));
  }

  @Test
  void theyBeginAnewOnceItWasThere() {
    destination.nextPauseNanos(TIMING, 0);
    destination.nextPauseNanos(TIMING, 0);
    destination.trying();
    destination.joined(null);
    destination.failed();

    assertEquals(5, destination.nextPauseNanos(TIMING, 0));
  }

  @Test
  void whatIsRemovedStaysSo() {
    destination.trying();
    assertNull(destination.remove());

    assertTrue(destination.isRemoved());
    assertThrows(IllegalStateException.class, destination::trying);
  }
}
