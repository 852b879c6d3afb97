package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FirstStreamTest {

  @Test
  void theDeskGetsEveryTradeInOrder() {
    assertEquals(FirstStream.trades().collectList().block(), FirstStream.run(Addresses.fresh()));
  }
}
