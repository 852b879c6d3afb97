package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TwoRailsTest {

  @Test
  @Tag("MR1")
  @Tag("MR4")
  void streamOverTwoRailsArrivesInOrder() {
    TwoRails.Result result = TwoRails.run(Addresses.fresh(), Addresses.fresh(), 100_000);
    assertEquals(IntStream.range(0, 100_000).boxed().toList(), result.received());
    assertEquals(2 * TwoRails.RING_BYTES, result.ringBytes());
  }
}
