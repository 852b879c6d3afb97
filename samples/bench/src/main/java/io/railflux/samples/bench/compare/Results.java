package io.railflux.samples.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of all runs of the peers, each with the figure of Railflux from the same pair. */
final class Results {

  static final String RAILFLUX = "railflux";
  static final String PROBE = "probe";

  private static final double DIGITS = 1e4;

  private record Key(String peer, Cell cell, Cell.Measure measure) {}

  private static final class Figures {

    private final List<Double> values = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
  }

  private final Map<Key, Figures> all = new LinkedHashMap<>();

  void add(
      String peer, Cell cell, Map<Cell.Measure, Double> ours, Map<Cell.Measure, Double> theirs) {
    for (Cell.Measure measure : cell.kind().measures()) {
      add(new Key(RAILFLUX, cell, measure), ours.get(measure), 1);
      add(
          new Key(peer, cell, measure),
          theirs.get(measure),
          ours.get(measure) / theirs.get(measure));
    }
  }

  /** Adds the probes around a pair of the cell. */
  void addProbes(Cell cell, Probes probes) {
    Key key = new Key(PROBE, cell, Cell.Measure.PROBE);
    add(key, probes.before(), Double.NaN);
    add(key, probes.between(), Double.NaN);
    add(key, probes.after(), Double.NaN);
  }

  private void add(Key key, double value, double ratio) {
    Figures figures = all.computeIfAbsent(key, first -> new Figures());
    figures.values.add(value);
    if (Double.isFinite(ratio)) {
      figures.ratios.add(ratio);
    }
  }

  /** Returns the rows in the order of the first measurement of cells and peers. */
  List<Row> rows() {
    return all.entrySet().stream()
        .map(entry -> row(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Row row(Key key, Figures figures) {
    double[] sorted = sorted(figures.values);
    return new Row(
        key.peer(),
        key.cell().workload(key.measure()),
        key.cell().sizeBytes(),
        rounded(median(sorted)),
        key.measure().unit(),
        rounded(sorted[0]),
        rounded(sorted[sorted.length - 1]),
        figures.ratios.isEmpty() ? null : rounded(median(sorted(figures.ratios))));
  }

  private static double[] sorted(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  /** Returns the mean of the two middle values if the count is even. */
  static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
