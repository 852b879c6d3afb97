package io.railflux.samples.bench.growth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class CurvesTest {

  private final Curves curves = new Curves();

  private void run(double one, double ten) {
    curves.add(Figure.base("streams", 1, one, "messages/s"));
    curves.add(Figure.of("streams", 10, ten, "messages/s"));
  }

  @Test
  void ratiosRelateToTheLatestBase() {
    // In the second run the host was ten times slower for both points.
    run(20, 10);
    run(2, 1);
    run(30, 21);
    assertEquals(
        List.of(
            new Row("streams", 1, 20, "messages/s", 2, 30, 1.0),
            new Row("streams", 10, 10, "messages/s", 1, 21, 0.5)),
        curves.rows());
  }

  @Test
  void curveWithoutABaseHasNoRatios() {
    curves.add(Figure.of("size", 64, 30, "ns"));
    curves.add(Figure.of("size", 256, 60, "ns"));
    assertNull(curves.rows().get(1).ratio());
  }

  @Test
  void reportsAlternatingMeasurementsByCurve() {
    curves.add(Figure.of("size", 64, 30, "ns"));
    curves.add(Figure.of("size", 64, 2e9, "B/s"));
    curves.add(Figure.of("size", 256, 60, "ns"));
    assertEquals(
        List.of("ns", "ns", "B/s"), curves.rows().stream().map(Row::unit).toList());
  }
}
