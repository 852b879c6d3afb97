package io.railflux.samples.bench.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Figures of all runs; a peer has as many of each as Railflux, or none. */
final class Results {

  static final String RAILFLUX = "railflux";

  private static final double DIGITS = 1e4;

  private record Key(String peer, Cell cell, Cell.Measure measure) {}

  private final Map<Key, List<Double>> figures = new LinkedHashMap<>();

  void add(String peer, Cell cell, Map<Cell.Measure, Double> run) {
    run.forEach((measure, figure) -> figures
        .computeIfAbsent(new Key(peer, cell, measure), first -> new ArrayList<>())
        .add(figure));
  }

  /** In the order in which the cells and peers were measured first. */
  List<Row> rows() {
    return figures.entrySet().stream()
        .map(entry -> row(entry.getKey(), entry.getValue()))
        .toList();
  }

  private Row row(Key key, List<Double> theirs) {
    List<Double> ours = figures.get(new Key(RAILFLUX, key.cell(), key.measure()));
    double[] ratios = IntStream.range(0, theirs.size())
        .mapToDouble(i -> ours.get(i) / theirs.get(i))
        .toArray();
    double[] sorted = sorted(theirs.stream().mapToDouble(Double::doubleValue).toArray());
    return new Row(
        key.peer(),
        key.measure().workload(),
        key.cell().sizeBytes(),
        rounded(median(sorted)),
        key.measure().unit(),
        rounded(sorted[0]),
        rounded(sorted[sorted.length - 1]),
        rounded(median(sorted(ratios))));
  }

  private static double[] sorted(double[] values) {
    Arrays.sort(values);
    return values;
  }

  /** The mean of the two in the middle where there are two. */
  static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
