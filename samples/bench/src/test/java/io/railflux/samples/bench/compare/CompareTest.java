package io.railflux.samples.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.samples.bench.peers.Peer;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.OneLineErrors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command in this process, with its pairs in child processes. */
class CompareTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int compare(String... arguments) {
    OneLineErrors errors = new OneLineErrors();
    return new CommandLine(new CompareCommand())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  @Tag("deep")
  @SuppressWarnings("unchecked")
  void writesJsonAndATable(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("figures.json");
    Path plots = directory.resolve("plots");
    int code = compare(
        "--fabric",
        "tcp",
        "--peers",
        "netty",
        "--workloads",
        "round-trip",
        "--seconds",
        "1",
        "--runs",
        "1",
        "--json",
        file.toString(),
        "--plots",
        plots.toString());
    assertEquals(0, code, err.toString());
    List<Map<String, Object>> rows = Json.parse(Files.readString(file), List.class);
    assertEquals(
        List.of("peer", "workload", "sizeBytes", "value", "unit", "low", "high", "railfluxRatio"),
        List.copyOf(rows.get(0).keySet()));
    // Two peers, two sizes and all percentiles, and the probe of each size.
    assertEquals(2 * 2 * Cell.Measure.PERCENTILES.size() + 2, rows.size());
    for (Map<String, Object> row : rows) {
      assertTrue(((Number) row.get("value")).doubleValue() > 0, rows.toString());
      boolean probe = row.get("peer").equals("probe");
      assertEquals(probe, row.get("workload").equals("round-trip-probe"));
      assertEquals(probe, row.get("railfluxRatio") == null, rows.toString());
    }
    assertTrue(out.toString().contains("| round-trip-p50, µs | 64 | netty |"), out.toString());
    assertTrue(Files.size(plots.resolve("tcp-round-trip-64.svg")) > 0);
    assertTrue(Files.size(plots.resolve("tcp-round-trip-4096.svg")) > 0);
  }

  @Test
  @Tag("deep")
  void comparesAgainstTheBareRing() {
    int code = compare(
        "--peers",
        "raw",
        "--workloads",
        "idle",
        "--work",
        "checksum",
        "--seconds",
        "1",
        "--runs",
        "1");
    assertEquals(0, code, err.toString());
    assertTrue(out.toString().contains("| checksum-idle-cpu, % | 64 | raw-ring |"), out.toString());
  }

  @Test
  void reportsAMissingPeerBeforeAnyMeasurement() {
    assumeTrue(Peer.JUCX_SHM.absence().isPresent(), "UCX is installed here");
    assertEquals(1, compare("--peers", "jucx"));
    assertTrue(err.toString().contains("no jucx-shm: UCX is not installed"), err.toString());
    assertEquals("", out.toString());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      2 | --fabric token-ring                         | --fabric must be shm or tcp, was token-ring
      2 | --peers nobody                              | --peers must be some of aeron,grpc,jucx,netty,raw,rsocket
      2 | --workloads dance                           | choose round-trip, one-way, wake-up, wake-up-relayed, idle
      2 | --peers grpc --workloads wake-up            | supports any of these --workloads over shm
      2 | --work hard                                 | choose touch, checksum
      2 | --json /no/such/directory/file.json         | --json /no/such/directory/file.json names a directory that does not exist
      2 | --seconds 0                                 | --seconds must be 1 to 600
      """)
  void reportsUsageErrorsInOneLine(int code, String arguments, String expected) {
    assertEquals(code, compare(arguments.split(" ")));
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(err.toString().contains(expected), err.toString());
  }
}
