package io.railflux.samples.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbesTest {

  @ParameterizedTest
  @CsvSource({
    "0.14, 0.14, 0.15, true",
    "0.59, 0.60, 0.59, true",
    "0.14, 0.21, 0.14, true",
    "0.59, 0.14, 0.14, false",
    "0.14, 0.59, 0.14, false",
    "0.14, 0.14, 0.59, false",
    "0.15, 0.20, 0.23, false"
  })
  void areSteadyIfTheMachineIsUnchanged(
      double before, double between, double after, boolean steady) {
    assertEquals(steady, new Probes(before, between, after).steady());
  }
}
