package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.plot.Axis;
import io.railflux.samples.bench.plot.LinePlot;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Plots with one line per peer: throughput by message size, and the distribution of round trips for each size. */
final class Plots {

  private final Path directory;
  private final String fabric;

  Plots(Path directory, String fabric) {
    this.directory = directory;
    this.fabric = fabric;
  }

  void write(List<Cell> cells, List<Row> rows) {
    for (Cell cell : cells) {
      switch (cell.kind()) {
        case ONE_WAY -> write(cell.prefix() + "one-way", throughput(cell, rows));
        case ROUND_TRIP ->
          write(cell.prefix() + "round-trip-" + cell.sizeBytes(), distribution(cell, rows));
        default -> {}
      }
    }
  }

  /** Plots all sizes. */
  private LinePlot throughput(Cell cell, List<Row> rows) {
    LinePlot plot = new LinePlot(
        "One way over " + fabric + ", " + cell.work(),
        Axis.logarithmic("bytes of a message"),
        Axis.logarithmic("bytes a second"));
    lines(
        plot,
        rows,
        row -> row.workload().equals(cell.workload(Cell.Measure.RATE)),
        row -> (double) row.sizeBytes(),
        row -> row.value() * row.sizeBytes());
    return plot;
  }

  private LinePlot distribution(Cell cell, List<Row> rows) {
    LinePlot plot = new LinePlot(
        "Round trip of " + cell.size() + " over " + fabric + ", " + cell.work(),
        Axis.percentiles("percentile"),
        Axis.logarithmic("µs"));
    // The maximum has no position on a percentile axis.
    Map<String, Double> places = Cell.Measure.PERCENTILES.stream()
        .filter(measure -> measure != Cell.Measure.MAX)
        .collect(Collectors.toMap(cell::workload, measure -> Axis.outOf(measure.percentile())));
    lines(
        plot,
        rows,
        row -> row.sizeBytes() == cell.sizeBytes() && places.containsKey(row.workload()),
        row -> places.get(row.workload()),
        Row::value);
    return plot;
  }

  private static void lines(
      LinePlot plot,
      List<Row> rows,
      Predicate<Row> chosen,
      Function<Row, Double> across,
      Function<Row, Double> up) {
    rows.stream().filter(chosen).map(Row::peer).distinct().forEach(peer -> {
      NavigableMap<Double, Double> points = new TreeMap<>();
      rows.stream()
          .filter(chosen)
          .filter(row -> row.peer().equals(peer))
          .forEach(row -> points.put(across.apply(row), up.apply(row)));
      plot.line(peer, points);
    });
  }

  private void write(String name, LinePlot plot) {
    if (plot.isEmpty()) {
      return;
    }
    Path file = directory.resolve(fabric + "-" + name + ".svg");
    try {
      Files.createDirectories(directory);
      plot.write(file);
    } catch (IOException e) {
      throw CommandFailure.cannotWrite(file, e);
    }
  }
}
