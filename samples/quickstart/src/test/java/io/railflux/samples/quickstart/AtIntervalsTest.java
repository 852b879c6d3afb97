package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AtIntervalsTest {

  @Test
  void eachTickArrivesOnce() {
    assertEquals(LongStream.range(0, 20).boxed().toList(), AtIntervals.run());
  }
}
