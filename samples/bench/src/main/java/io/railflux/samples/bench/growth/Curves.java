package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.measure.Runs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of all runs, each with the latest base before it. */
final class Curves {

  private record Curve(String experiment, String unit) {}

  private record Point(Curve curve, int parameter) {}

  private final Map<Point, Runs> all = new LinkedHashMap<>();
  private final Map<Curve, Double> bases = new HashMap<>();

  /** Adds a figure in the order of measurement. */
  void add(Figure figure) {
    Curve curve = new Curve(figure.experiment(), figure.unit());
    if (figure.base()) {
      bases.put(curve, figure.value());
    }
    Runs runs = all.computeIfAbsent(new Point(curve, figure.parameter()), first -> new Runs());
    runs.add(figure.value());
    Double base = bases.get(curve);
    if (base != null && base != 0) {
      runs.addRatio(figure.value() / base);
    }
  }

  /** Returns the rows by curve. The points of a curve are in the order of their first measurement. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    all.keySet().stream()
        .map(Point::curve)
        .distinct()
        .forEach(curve -> all.forEach((point, runs) -> {
          if (point.curve().equals(curve)) {
            rows.add(row(point, runs));
          }
        }));
    return rows;
  }

  private static Row row(Point point, Runs runs) {
    return new Row(
        point.curve().experiment(),
        point.parameter(),
        runs.median(),
        point.curve().unit(),
        runs.low(),
        runs.high(),
        runs.medianRatio());
  }
}
