package io.railflux.samples.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.samples.cli.measure.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotsTest {

  @TempDir
  private Path directory;

  private Set<String> written(Row... rows) throws IOException {
    Path plots = directory.resolve("plots");
    new Plots(plots, "shm").write(Cell.all(Work.TOUCH), List.of(rows));
    if (Files.notExists(plots)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(plots)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  private static Row row(String workload, int sizeBytes, double value) {
    return new Row("railflux", workload, sizeBytes, value, "", value, value, 1.0);
  }

  @Test
  void drawsThroughputAndADistributionForEachSize() throws IOException {
    assertEquals(
        Set.of("shm-one-way.svg", "shm-round-trip-64.svg", "shm-round-trip-4096.svg"),
        written(
            row("one-way", 64, 2e7),
            row("one-way", 1024, 9e6),
            row("round-trip-p50", 64, 0.5),
            row("round-trip-p99.99", 64, 5000),
            row("round-trip-p50", 4096, 1.5)));
  }

  @Test
  void omitsUnmeasuredPlots() throws IOException {
    assertEquals(Set.of(), written(row("idle-cpu", 64, 0.5)));
    assertEquals(Set.of("shm-one-way.svg"), written(row("one-way", 64, 2e7)));
  }
}
