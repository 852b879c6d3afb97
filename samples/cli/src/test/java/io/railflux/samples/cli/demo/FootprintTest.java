package io.railflux.samples.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FootprintTest {

  private final Footprint footprint = new Footprint(100);

  @Test
  void comparesTheLastReadingWithTheReadingAfterTheWarmUp() {
    footprint.add(40, 1, 1_000);
    footprint.add(70, 2, 1_099);
    footprint.add(90, 3, 1_100);
    footprint.add(95, 4, 5_000);
    assertEquals(90, footprint.warmMiB());
    assertEquals(95, footprint.lastMiB());
    assertEquals("95 MiB (90 when warm)", footprint.toString());
  }

  @Test
  void doesNotCompareDuringTheWarmUp() {
    footprint.add(40, 1, -50);
    footprint.add(70, 2, 49);
    assertEquals(70, footprint.warmMiB());
    assertEquals("70 MiB", footprint.toString());
  }

  @Test
  void startsTheWarmUpWithTheFirstEvent() {
    footprint.add(20, 0, 0);
    footprint.add(30, 0, 500);
    footprint.add(40, 1, 1_000);
    assertEquals("40 MiB", footprint.toString());
  }

  @Test
  void isEmptyBeforeTheFirstReading() {
    assertEquals("0 MiB", footprint.toString());
  }
}
