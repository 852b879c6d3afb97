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
    long[] pauses = new long[6];
    for (int i = 0; i < pauses.length; i++) {
      destination.trying();
      destination.failed();
      long longest = Math.min(10L << i, 70);
      pauses[i] = destination.nextPauseNanos(TIMING, Long.MIN_VALUE + i);
      assertTrue(pauses[i] >= longest / 2 && pauses[i] <= longest, pauses[i] + " of " + longest);
    }
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
