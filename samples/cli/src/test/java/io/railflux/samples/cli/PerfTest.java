package io.railflux.samples.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.railflux.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerfTest {

  private static final List<String> FIELDS = List.of(
      "fabric",
      "workload",
      "sizeBytes",
      "count",
      "p50Micros",
      "p99Micros",
      "p999Micros",
      "messagesPerSecond",
      "megabytesPerSecond",
      "cpuSecondsPerMillion",
      "allocatedBytesPerMessage",
      "senderRssMiB",
      "receiverRssMiB",
      "idleCpuPercent",
      "rawRatio",
      "rawSpinningMicros",
      "rawSpinningPerSecond",
      "rawSpinningRatio",
      "rawBlockingMicros",
      "rawBlockingPerSecond",
      "rawBlockingRatio");

  private static final List<String> COLD_FIELDS = List.of(
      "fabric",
      "workload",
      "sizeBytes",
      "count",
      "perSecond",
      "nodeMillis",
      "startToFirstMessageMillis",
      "connectMillis",
      "connectToFirstMessageMillis",
      "processorTimesOf",
      "seconds");

  private static final List<String> COLD_SECOND_FIELDS = List.of(
      "second",
      "p50Micros",
      "p99Micros",
      "maxMicros",
      "compilerMillis",
      "collectorMillis",
      "engineMillis",
      "otherMillis");

  static Stream<String> workloadsOverARing() {
    return Stream.of("latency", "throughput").limit(Depth.of(1, 2));
  }

  @ParameterizedTest
  @MethodSource("workloadsOverARing")
  void measuresAgainstABareRing(String workload) throws Exception {
    Map<String, Object> result = perf("--workload", workload, "--raw");
    assertEquals(workload, result.get("workload"));
    assertPositive(result, "count", "messagesPerSecond", "senderRssMiB", "rawRatio");
    assertEquals(workload.equals("latency"), result.get("p50Micros") != null);
  }

  static Stream<Arguments> workloadsOverSockets() {
    return Stream.of(
            arguments("throughput", "64"),
            arguments("latency", "64"),
            arguments("bandwidth", "100000"))
        .limit(Depth.of(1, 3));
  }

  @ParameterizedTest
  @MethodSource("workloadsOverSockets")
  void measuresTcpAgainstBareSockets(String workload, String size) throws Exception {
    Map<String, Object> result =
        perf("--workload", workload, "--size", size, "--fabric", "tcp", "--raw");
    assertEquals("tcp", result.get("fabric"));
    assertPositive(result, "count", "rawSpinningPerSecond", "rawBlockingPerSecond");
    assertPositive(result, "rawSpinningRatio", "rawBlockingRatio");
    assertEquals(result.get("rawSpinningRatio"), result.get("rawRatio"));
    assertEquals(workload.equals("latency"), result.get("rawSpinningMicros") != null);
  }

  static Stream<Arguments> checkedWorkloads() {
    return Stream.of(
            arguments("tcp", "bandwidth"),
            arguments("shm", "latency"),
            arguments("shm", "throughput"),
            arguments("tcp", "request"))
        .limit(Depth.of(1, 4));
  }

  @ParameterizedTest
  @MethodSource("checkedWorkloads")
  void receiversVerifyWholeMessages(String fabric, String workload) throws Exception {
    Command.Ended ended = Command.run(
        "perf",
        "--seconds",
        "1",
        "--json",
        "--raw",
        "--work",
        "checksum",
        "--fabric",
        fabric,
        "--workload",
        workload);
    assertEquals(0, ended.code(), ended.err());
    assertEquals("checksum", ended.json().get("work"));
    assertPositive(ended.json(), "count", "rawRatio");
  }

  @Test
  @Tag("deep")
  void reportsFurtherPercentilesOnRequest() throws Exception {
    Command.Ended ended =
        Command.run("perf", "--seconds", "1", "--json", "--percentiles", "--fabric", "tcp");
    assertEquals(0, ended.code(), ended.err());
    Map<String, Object> result = ended.json();
    double before = 0;
    for (String field :
        List.of("p50Micros", "p90Micros", "p99Micros", "p999Micros", "p9999Micros", "maxMicros")) {
      double micros = ((Number) result.get(field)).doubleValue();
      assertTrue(micros >= before, field + " in " + result);
      before = micros;
    }
  }

  static Stream<Arguments> workloadsThatSleep() {
    return Stream.of(
            arguments("shm", "wake-up-relayed"),
            arguments("shm", "wake-up"),
            arguments("tcp", "wake-up"))
        .limit(Depth.of(1, 3));
  }

  @ParameterizedTest
  @MethodSource("workloadsThatSleep")
  void wakesBothSidesForEachRoundTrip(String fabric, String workload) throws Exception {
    Map<String, Object> result = perf("--workload", workload, "--fabric", fabric);
    assertPositive(result, "count", "p50Micros");
    // At most one per 2 ms.
    assertTrue((int) result.get("count") <= 500, result.toString());
  }

  @Test
  @Tag("deep")
  void measuresRequests() throws Exception {
    assertPositive(perf("--workload", "request"), "count", "p50Micros", "p99Micros");
  }

  @Test
  void messagesHaveTheRequestedSize() throws Exception {
    Map<String, Object> result = perf("--workload", "bandwidth", "--size", "1000003");
    assertEquals(1_000_003, result.get("sizeBytes"));
    assertPositive(result, "count", "megabytesPerSecond");
  }

  @Test
  void passesTheSecretToBothProcessesAndEncrypts(@TempDir Path directory) throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "known to both processes alone");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Map<String, Object> result =
        perf("--workload", "throughput", "--secret-file", secret.toString(), "--encrypt");
    assertPositive(result, "count", "messagesPerSecond");
  }

  @Test
  @Tag("deep")
  void idlePairHasNoRates() throws Exception {
    Map<String, Object> result = perf("--workload", "idle");
    assertTrue(result.get("idleCpuPercent") != null);
    assertNull(result.get("messagesPerSecond"));
  }

  @Test
  void slowConsumerLimitsTheProducer() throws Exception {
    Map<String, Object> result = perf("--workload", "slow-consumer");
    assertTrue((int) result.get("count") <= 1_500, result.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void reportsAColdStartByTheSecond(String fabric) throws Exception {
    Command.Ended ended =
        Command.run("perf", "--json", "--workload", "cold", "--seconds", "2", "--fabric", fabric);
    assertEquals(0, ended.code(), ended.err());
    assertEquals(List.of(), ended.errorLines());
    Map<String, Object> result = ended.json();
    assertEquals(COLD_FIELDS, List.copyOf(result.keySet()));
    assertEquals(20_000, result.get("count"));
    assertPositive(result, "startToFirstMessageMillis", "connectMillis");
    List<Map<String, Object>> seconds = seconds(result);
    assertEquals(List.of(1, 2), seconds.stream().map(each -> each.get("second")).toList());
    assertEquals(COLD_SECOND_FIELDS, List.copyOf(seconds.get(0).keySet()));
    seconds.forEach(each -> assertPositive(each, "p50Micros", "p99Micros", "maxMicros"));
    assertTrue(processorTimesAreComplete(result), result.toString());
  }

  /** Other systems than Linux do not provide the times. */
  private static boolean processorTimesAreComplete(Map<String, Object> result) {
    boolean linux = System.getProperty("os.name").equals("Linux");
    return Objects.equals(result.get("processorTimesOf"), linux ? 2 : null)
        && seconds(result).stream().allMatch(each -> (each.get("engineMillis") != null) == linux);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> seconds(Map<String, Object> result) {
    return (List<Map<String, Object>>) result.get("seconds");
  }

  @Test
  void interruptedColdStartReportsTheSecondsSoFar() throws Exception {
    List<String> host = List.of("env", "--default-signal=INT");
    try (Command command =
        Command.startOn(host, "perf", "--workload", "cold", "--seconds", "600", "--json")) {
      ProcessHandle child = command.child("--listen");
      await().atMost(Command.PATIENCE).until(() -> Leftovers.mapsARing(child));
      command.signal("INT");
      Command.Ended ended = command.ended();

      assertEquals(130, ended.code(), ended.err());
      assertEquals(600, ended.json().get("rounds"));
    }
  }

  @Test
  void twoCommandsConnectByName() throws Exception {
    String name = "perf-test-" + ProcessHandle.current().pid();
    try (Command listening = Command.start("perf", "--listen", name)) {
      await()
          .atMost(Command.PATIENCE)
          .until(() -> listening.outputSoFar().contains("listening on shm:" + name));
      Command.Ended taken = Command.run("perf", "--listen", name);
      assertEquals(1, taken.code());
      assertEquals(1, taken.errorLines().size(), taken.err());
      assertPositive(perf("--workload", "latency", "--connect", name), "count");
      assertEquals(0, listening.ended().code());
    }
  }

  @Test
  void reportsTheDeathOfTheOtherProcess() throws Exception {
    try (Command command = Command.start("perf", "--workload", "latency", "--seconds", "30")) {
      ProcessHandle child = command.child("--listen");
      await().atMost(Command.PATIENCE).until(() -> Leftovers.mapsARing(child));
      child.destroyForcibly();
      Command.Ended ended = command.ended();
      assertEquals(1, ended.code());
      assertEquals(1, ended.errorLines().size(), ended.err());
      assertTrue(ended.err().contains("killed by signal 9"), ended.err());
      Leftovers.assertNone(List.of(child, command.handle()));
    }
  }

  /** Uses the signal of Ctrl-C during the warm-up. */
  @Test
  void interruptedMeasurementReportsItsPartialResult() throws Exception {
    // Background commands of a shell ignore the signal, and so do their children.
    List<String> host = List.of("env", "--default-signal=INT");
    try (Command command = Command.startOn(host, "perf", "--seconds", "600")) {
      await()
          .atMost(Command.PATIENCE)
          .until(() -> command.outputSoFar().contains("latency over shm"));
      command.signal("INT");
      Command.Ended ended = command.ended();

      assertEquals(130, ended.code(), ended.err());
      assertEquals(List.of(), ended.errorLines());
      assertTrue(
          ended.out().contains("interrupted after 0 of 5 rounds, nothing was measured"),
          ended.out());
    }
  }

  @Test
  void bothSidesEndWithTheirParent() throws Exception {
    try (Command command = Command.start("perf", "--lifeline", "--seconds", "600")) {
      ProcessHandle child = command.child("--listen");
      await().atMost(Command.PATIENCE).until(() -> Leftovers.mapsARing(child));
      command.closeInput();
      assertEquals(1, command.ended().code());
      Leftovers.assertNone(List.of(child, command.handle()));
    }
  }

  private static Map<String, Object> perf(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 4];
    System.arraycopy(new String[] {"perf", "--seconds", "1", "--json"}, 0, all, 0, 4);
    System.arraycopy(arguments, 0, all, 4, arguments.length);
    Command.Ended ended = Command.run(all);
    assertEquals(0, ended.code(), ended.err());
    assertEquals(List.of(), ended.errorLines());
    assertEquals(FIELDS, List.copyOf(ended.json().keySet()));
    return ended.json();
  }

  private static void assertPositive(Map<String, Object> result, String... fields) {
    for (String field : fields) {
      assertTrue(((Number) result.get(field)).doubleValue() > 0, field + " in " + result);
    }
  }
}
