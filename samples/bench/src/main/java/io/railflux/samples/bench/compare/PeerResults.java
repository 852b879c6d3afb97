package io.railflux.samples.bench.compare;

import io.railflux.samples.cli.measure.Runs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of all runs of the peers, each with the figure of Railflux from the same pair. */
final class PeerResults {

  static final String RAILFLUX = "railflux";
  static final String PROBE = "probe";

  private record Key(String peer, Cell cell, Cell.Measure measure) {}

  private final Map<Key, Runs> all = new LinkedHashMap<>();

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
    Runs runs = all.computeIfAbsent(key, first -> new Runs());
    runs.add(value);
    runs.addRatio(ratio);
  }

  /** Returns the rows in the order of the first measurement of cells and peers. */
  List<Row> rows() {
    return all.entrySet().stream()
        .map(entry -> row(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Row row(Key key, Runs runs) {
    return new Row(
        key.peer(),
        key.cell().workload(key.measure()),
        key.cell().sizeBytes(),
        runs.median(),
        key.measure().unit(),
        runs.low(),
        runs.high(),
        runs.medianRatio());
  }
}
