package io.railflux.samples.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private static final Cell CELL = new Cell(Cell.Kind.ONE_WAY, 64);

  private final Results results = new Results();

  private void run(double ours, double theirs) {
    results.add(Results.RAILFLUX, CELL, Map.of(Cell.Measure.RATE, ours));
    results.add("ring", CELL, Map.of(Cell.Measure.RATE, theirs));
  }

  @Test
  void ratiosAreThoseOfTheSameRun() {
    // The host was ten times as slow in the second run, for both.
    run(20, 40);
    run(2, 4);
    run(30, 50);
    assertEquals(
        List.of(
            new Row("railflux", "one-way", 64, 20, "messages/s", 2, 30, 1),
            new Row("ring", "one-way", 64, 40, "messages/s", 4, 50, 0.5)),
        results.rows());
  }

  @Test
  void theMedianOfTwoRunsIsTheirMean() {
    run(10, 20);
    run(20, 20);
    assertEquals(15, results.rows().get(0).value());
    assertEquals(0.75, results.rows().get(1).railfluxRatio());
  }
}
