package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class AtIntervalsTest {

  /** Ticks without demand are dropped. */
  @Test
  void ticksArriveOnceAndInOrder() {
    List<Long> ticks = AtIntervals.run();

    assertEquals(20, ticks.size());
    assertEquals(ticks.stream().sorted().distinct().toList(), ticks);
  }
}
