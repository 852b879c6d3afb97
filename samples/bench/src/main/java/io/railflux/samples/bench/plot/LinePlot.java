package io.railflux.samples.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Named lines through points, as SVG. Equal points produce equal files. */
public final class LinePlot {

  static {
    // The machine may have a display without the required libraries.
    System.setProperty("java.awt.headless", "true");
  }

  private static final int WIDTH = 800;
  private static final int HEIGHT = 500;
  private static final Color GRID = new Color(0xDDDDDD);

  private final XYChart chart;
  private final Axis horizontal;
  private final Axis vertical;

  public LinePlot(String title, Axis horizontal, Axis vertical) {
    this.horizontal = horizontal;
    this.vertical = vertical;
    this.chart = new XYChartBuilder()
        .width(WIDTH)
        .height(HEIGHT)
        .theme(ChartTheme.Matlab)
        .title(title)
        .xAxisTitle(horizontal.label())
        .yAxisTitle(vertical.label())
        .build();
    chart
        .getStyler()
        .setXAxisLogarithmic(horizontal.logarithmic())
        .setYAxisLogarithmic(vertical.logarithmic())
        .setXAxisTickLabelsFormattingFunction(horizontal.tick())
        .setYAxisTickLabelsFormattingFunction(vertical.tick())
        // A dashed line would add one shape per dash.
        .setPlotGridLinesStroke(new BasicStroke())
        .setPlotGridLinesColor(GRID)
        .setLegendPosition(LegendPosition.OutsideE);
  }

  /** Omits points that a logarithmic axis cannot show, and lines without points. */
  public LinePlot line(String name, NavigableMap<Double, Double> points) {
    double[][] shown = points.entrySet().stream()
        .filter(this::has)
        .map(point -> new double[] {point.getKey(), point.getValue()})
        .toArray(double[][]::new);
    if (shown.length > 0) {
      chart.addSeries(
          name,
          Arrays.stream(shown).mapToDouble(point -> point[0]).toArray(),
          Arrays.stream(shown).mapToDouble(point -> point[1]).toArray());
    }
    return this;
  }

  private boolean has(Map.Entry<Double, Double> point) {
    return (!horizontal.logarithmic() || point.getKey() > 0)
        && (!vertical.logarithmic() || point.getValue() > 0);
  }

  /** Returns whether the plot has no lines. */
  public boolean isEmpty() {
    return chart.getSeriesCollection().isEmpty();
  }

  XYChart chart() {
    return chart;
  }

  public void write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      ChartEncoder.saveChart(chart, out, "svg");
    }
  }
}
