package io.railflux.samples.bench.compare;

import static io.railflux.samples.bench.compare.Cell.Measure.CPU;
import static io.railflux.samples.bench.compare.Cell.Measure.IDLE_CPU;
import static io.railflux.samples.bench.compare.Cell.Measure.RATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.railflux.samples.cli.measure.Work;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerResultsTest {

  private static final Cell CELL = new Cell(Cell.Kind.ONE_WAY, 64, Work.TOUCH);

  private final PeerResults results = new PeerResults();

  private void run(double ours, double theirs) {
    results.add("raw-ring", CELL, Map.of(RATE, ours, CPU, 1.0), Map.of(RATE, theirs, CPU, 0.0));
  }

  private List<Row> rows() {
    return results.rows().stream()
        .filter(row -> row.workload().equals("one-way"))
        .toList();
  }

  @Test
  void ratiosRelateFiguresOfTheSameRun() {
    // In the second run the host was ten times slower for both sides.
    run(20, 40);
    run(2, 4);
    run(30, 50);
    assertEquals(
        List.of(
            new Row("railflux", "one-way", 64, 20, "messages/s", 2, 30, 1.0),
            new Row("raw-ring", "one-way", 64, 40, "messages/s", 4, 50, 0.5)),
        rows());
  }

  @Test
  void medianOfTwoRunsIsTheirMean() {
    run(10, 20);
    run(20, 20);
    assertEquals(15, rows().get(0).value());
    assertEquals(0.75, rows().get(1).railfluxRatio());
  }

  @Test
  void namesFiguresWithChecksums() {
    Cell cell = new Cell(Cell.Kind.IDLE, 64, Work.CHECKSUM);
    results.add("raw-ring", cell, Map.of(IDLE_CPU, 1.0), Map.of(IDLE_CPU, 1.0));
    assertEquals("checksum-idle-cpu", results.rows().get(0).workload());
  }

  @Test
  void reportsTheProbeOfEachCellWithoutARatio() {
    results.addProbes(CELL, new Probes(0.25, 0.75, 0.5));
    assertEquals(
        List.of(new Row("probe", "one-way-probe", 64, 0.5, "µs", 0.25, 0.75, null)),
        results.rows());
  }

  @Test
  void omitsTheRatioWithoutADivisor() {
    run(10, 20);
    assertNull(results.rows().get(3).railfluxRatio());
    assertEquals(0, results.rows().get(3).value());
  }
}
