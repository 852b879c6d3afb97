package io.railflux.samples.bench.growth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.OneLineErrors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command in this process, with its measurements in child processes. */
class GrowthTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir
  Path directory;

  private int growth(String arguments) {
    OneLineErrors errors = new OneLineErrors();
    return new CommandLine(new GrowthCommand())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.split(" "));
  }

  /** Runs each given experiment for the shortest possible time. */
  @SuppressWarnings("unchecked")
  private List<Map<String, Object>> rows(String arguments) throws Exception {
    Path file = directory.resolve("figures.json");
    int code = growth(arguments + " --seconds 0.1 --runs 1 --json " + file);
    assertEquals(0, code, err.toString() + out);
    return Json.parse(Files.readString(file), List.class);
  }

  private static Set<Object> curves(List<Map<String, Object>> rows) {
    return rows.stream().map(row -> row.get("experiment")).collect(Collectors.toSet());
  }

  private static Map<String, Object> row(List<Map<String, Object>> rows, String curve) {
    return rows.stream()
        .filter(row -> row.get("experiment").equals(curve))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Tag("deep")
  void writesJsonATableAndPlots() throws Exception {
    List<Map<String, Object>> rows =
        rows("--experiments streams,peers,slow --up-to 10 --plots " + directory);
    assertEquals(
        List.of("experiment", "parameter", "value", "unit", "low", "high", "ratio"),
        List.copyOf(rows.get(0).keySet()));
    assertEquals(
        Set.of("streams", "fan-in", "fan-out", "fast beside slow", "fast beside stalled"),
        curves(rows));
    for (Map<String, Object> row : rows) {
      assertTrue(((Number) row.get("value")).doubleValue() > 0, rows.toString());
      assertTrue(((Number) row.get("ratio")).doubleValue() > 0, rows.toString());
    }
    assertTrue(out.toString().contains("| streams, messages/s | 10 |"), out.toString());
    for (String plot : List.of("streams", "peers", "slow")) {
      assertTrue(Files.exists(directory.resolve("growth-shm-" + plot + ".svg")), plot);
    }
    assertFalse(Files.exists(directory.resolve("growth-shm-storm.svg")), "not measured");
  }

  @Test
  void measuresOnePointRelativeToTheFirst() throws Exception {
    List<Map<String, Object>> rows = rows("--experiments streams --from 2 --up-to 10");
    assertEquals(
        List.of(1, 10), rows.stream().map(row -> row.get("parameter")).toList(), rows.toString());
  }

  @Test
  @Tag("deep")
  void measuresOverTcpAsWell() throws Exception {
    List<Map<String, Object>> rows =
        rows("--fabric tcp --experiments metrics,peers,storm --up-to 8");
    assertTrue(curves(rows).contains("meters bound"), out.toString());
    assertTrue(curves(rows).containsAll(Set.of("bare-fan-in", "bare-fan-out")), out.toString());
    Map<String, Object> failed = row(rows, "storm, failed");
    assertEquals(8, failed.get("parameter"));
    assertEquals(0.0, failed.get("value"), out.toString());
  }

  @Test
  @Tag("deep")
  void measuresSizesAndMemory() throws Exception {
    List<Map<String, Object>> rows = rows("--experiments sizes,memory --up-to 4");
    assertTrue(curves(rows).contains("size"), out.toString());
    // As documented for shared memory in docs/memory.md.
    assertEquals(4_354_048.0, row(rows, "rail, one side, mapped").get("value"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --fabric token-ring | --fabric must be shm or tcp, was token-ring
      --experiments dance | choose sizes, streams, peers, metrics, slow, memory, storm
      --seconds 0         | --seconds must be 0.1 to 600
      --up-to 0           | --from must be at least 1 and --up-to no less than that, were 1 and 0
      --from 0            | --from must be at least 1
      --from 5 --up-to 4  | were 5 and 4
      """)
  void reportsUsageErrorsInOneLine(String arguments, String expected) {
    assertEquals(2, growth(arguments));
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(err.toString().contains(expected), err.toString());
  }
}
