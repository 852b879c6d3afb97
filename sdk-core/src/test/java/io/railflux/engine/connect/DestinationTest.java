package io.railflux.engine.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("FT4")
class DestinationTest {

  private static final EngineConfig.RetryPolicy RETRY = new EngineConfig.RetryPolicy(10, 70, 1);

  private final Destination destination = new Destination(new Rail.Target(null, "there"));

  @Test
  void pausesDoubleUpToTheMaximum() {
    destination.trying(false);
    destination.joined(null);
    for (int i = 0; i < 6; i++) {
      assertPause(Math.min(10L << i, 70), i);
    }
  }

  @Test
  void pausesGrowToSecondsWithoutAnyAnswer() {
    for (int i = 0; i < 40; i++) {
      assertPause(Math.min(10L << Math.min(i, 30), 5_000_000_000L), i);
    }
  }

  private void assertPause(long longest, int random) {
    long pause = destination.nextPauseNanos(RETRY, Long.MIN_VALUE + random);
    assertTrue(pause >= longest / 2 && pause <= longest, pause + " of " + longest);
  }

  @Test
  void jitterReducesPausesByUpToAHalf() {
    assertEquals(5, destination.nextPauseNanos(RETRY, 0));
    assertEquals(20, destination.nextPauseNanos(RETRY, 10));
  }

  @Test
  void pausesMayLastAYear() {
    EngineConfig.RetryPolicy year =
        new EngineConfig.RetryPolicy(Long.MAX_VALUE / 300, Long.MAX_VALUE / 290, 1);
    for (int i = 0; i < 40; i++) {
      assertTrue(destination.nextPauseNanos(year, i) > Long.MAX_VALUE / 700);
    }
  }

  @Test
  void pausesRestartAfterAConnectionOfMaximumPause() {
    lostAfter(70);
    lostAfter(70);

    assertEquals(5, destination.nextPauseNanos(RETRY, 0));
  }

  @Test
  void pausesGrowAfterAShortConnection() {
    for (int i = 0; i < 6; i++) {
      lostAfter(69);
      assertPause(Math.min(10L << i, 70), i);
    }
  }

  private void lostAfter(long nanos) {
    destination.trying(false);
    destination.joined(null);
    destination.lost(nanos, RETRY);
  }

  @Test
  void removedDestinationStaysRemoved() {
    destination.trying(false);
    assertNull(destination.remove());

    assertTrue(destination.isRemoved());
    assertThrows(IllegalStateException.class, () -> destination.trying(false));
  }
}
