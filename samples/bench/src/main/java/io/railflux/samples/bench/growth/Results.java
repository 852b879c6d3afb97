package io.railflux.samples.bench.growth;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of all runs, each with the latest base before it. */
final class Results {

  private static final double DIGITS = 1e4;

  private record Curve(String experiment, String unit) {}

  private record Point(Curve curve, int parameter) {}

  private static final class Figures {

    private final List<Double> values = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
  }

  private final Map<Point, Figures> all = new LinkedHashMap<>();
  private final Map<Curve, Double> bases = new HashMap<>();

  /** Adds a figure in the order of measurement. */
  void add(Figure figure) {
    Curve curve = new Curve(figure.experiment(), figure.unit());
    if (figure.base()) {
      bases.put(curve, figure.value());
    }
    Figures figures =
        all.computeIfAbsent(new Point(curve, figure.parameter()), first -> new Figures());
    figures.values.add(figure.value());
    Double base = bases.get(curve);
    if (base != null && base != 0) {
      figures.ratios.add(figure.value() / base);
    }
  }

  /** Returns the rows by curve. The points of a curve are in the order of their first measurement. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    all.keySet().stream()
        .map(Point::curve)
        .distinct()
        .forEach(curve -> all.forEach((point, figures) -> {
          if (point.curve().equals(curve)) {
            rows.add(row(point, figures));
          }
        }));
    return rows;
  }

  private static Row row(Point point, Figures figures) {
    double[] sorted = sorted(figures.values);
    return new Row(
        point.curve().experiment(),
        point.parameter(),
        rounded(median(sorted)),
        point.curve().unit(),
        rounded(sorted[0]),
        rounded(sorted[sorted.length - 1]),
        figures.ratios.isEmpty() ? null : rounded(median(sorted(figures.ratios))));
  }

  private static double[] sorted(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  /** Returns the mean of the two middle values if the count is even. */
  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
