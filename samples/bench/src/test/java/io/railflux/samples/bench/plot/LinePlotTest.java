package io.railflux.samples.bench.plot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.knowm.xchart.XYSeries;

class LinePlotTest {

  @TempDir
  private Path directory;

  private String svg(LinePlot plot) throws IOException {
    Path file = directory.resolve("plot.svg");
    plot.write(file);
    return Files.readString(file);
  }

  private static LinePlot plot() {
    return new LinePlot("One way", Axis.logarithmic("bytes"), Axis.logarithmic("messages/s"))
        .line("railflux", new TreeMap<>(Map.of(64.0, 2e7, 1e3, 9e6, 1e6, 5e3)))
        .line("raw-ring", new TreeMap<>(Map.of(64.0, 3e7, 1e3, 8e6, 1e6, 3e4)));
  }

  @Test
  void writesAScalablePlot() throws IOException {
    String svg = svg(plot());
    assertTrue(svg.startsWith("<?xml") && svg.contains("<path "), svg);
  }

  @Test
  void namesItsLinesAndAxes() {
    LinePlot plot = plot();
    assertEquals(List.of("railflux", "raw-ring"), names(plot));
    assertEquals("bytes", plot.chart().getXAxisTitle());
    assertEquals("messages/s", plot.chart().getYAxisTitle());
  }

  private static List<String> names(LinePlot plot) {
    return plot.chart().getSeriesCollection().stream().map(XYSeries::getName).toList();
  }

  @Test
  void equalPointsProduceEqualFiles() throws IOException {
    assertEquals(svg(plot()), svg(plot()));
  }

  @Test
  void omitsPointsThatALogarithmicAxisCannotShow() throws IOException {
    LinePlot plot = new LinePlot("", Axis.linear("runs"), Axis.logarithmic("µs"))
        .line("never", new TreeMap<>(Map.of(1.0, 0.0)));
    assertTrue(plot.isEmpty());
    plot.line("sometimes", new TreeMap<>(Map.of(1.0, 0.0, 2.0, 5.0, 3.0, 7.0)));
    assertFalse(plot.isEmpty());
    assertEquals(List.of("sometimes"), names(plot));
    assertArrayEquals(new double[] {2, 3}, plot.chart().getSeries("sometimes").getXData());
  }

  @ParameterizedTest
  @CsvSource({"50,2,50", "90,10,90", "99.9,1000,99.9", "99.99,10000,99.99"})
  void eachNineOfAPercentileHasTheSameWidth(double percentile, double place, String text) {
    assertEquals(place, Axis.outOf(percentile), 1e-6);
    assertEquals(text, Axis.percentiles("%").tick().apply(place));
  }

  @ParameterizedTest
  @CsvSource({"0.25,0.25", "100,100", "1000,1k", "2500,2.5k", "10000000,10M", "0,0"})
  void formatsNumbersCompactly(double number, String text) {
    assertEquals(text, Axis.number(number));
  }
}
