package io.railflux.samples.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Depth;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DemoTest {

  private static final List<String> FIELDS = List.of(
      "fabric",
      "seconds",
      "sent",
      "received",
      "lost",
      "duplicated",
      "reordered",
      "checksumOk",
      "p50Micros",
      "p99Micros",
      "sourceRssMiB",
      "sinkRssMiB",
      "creditStallsAtSource");

  @TempDir
  Path directory;

  @Test
  void telemetryArrivesCompletely() throws Exception {
    assertTrue(((Number) demo("--seconds", "1").get("sent")).longValue() > 0);
  }

  @Test
  @Tag("deep")
  void telemetryArrivesOverTcp() throws Exception {
    Map<String, Object> result = demo("--seconds", "1", "--fabric", "tcp");
    assertEquals("tcp", result.get("fabric"));
    assertTrue(((Number) result.get("sent")).longValue() > 0);
  }

  @Test
  void filesArriveByteForByte() throws Exception {
    Path whole = Files.createDirectory(directory.resolve("in"));
    // One run per case would be slow. The cases follow each other in one file.
    byte[] binary = new byte[300_000];
    new Random(7).nextBytes(binary);
    try (var out = Files.newOutputStream(whole.resolve("tricky"))) {
      out.write("one\r\ntwo\n\n\r\n\0\n".getBytes(StandardCharsets.UTF_8));
      out.write("x".repeat(1_000_000).getBytes(StandardCharsets.UTF_8));
      out.write('\n');
      out.write(binary);
      out.write("no line end here".getBytes(StandardCharsets.UTF_8));
    }
    assertArrives(whole.resolve("tricky"));
  }

  @Test
  @Tag("deep")
  void emptyFileArrives() throws Exception {
    assertArrives(Files.createFile(directory.resolve("empty")));
  }

  @Test
  void passesTheSecretToAllThreeProcesses() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "known to all three processes");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Path input = Files.writeString(directory.resolve("in"), "line\n".repeat(10_000));
    assertArrives(input, "--secret-file", secret.toString(), "--encrypt");
  }

  private void assertArrives(Path input, String... more) throws Exception {
    Path output = directory.resolve("out");
    List<String> options =
        new ArrayList<>(List.of("--input", input.toString(), "--output", output.toString()));
    options.addAll(List.of(more));
    demo(options.toArray(String[]::new));
    assertEquals(-1, Files.mismatch(input, output));
  }

  @Test
  @Tag("deep")
  void slowSinkLimitsTheSourceAndItsMemory() throws Exception {
    Command.Ended ended = Command.run("demo", "--seconds", "5", "--slow-sink", "500");
    assertEquals(0, ended.code(), ended.err());
    assertTrue(figure(ended, "the source waited ([\\d,]+) times") > 0, ended.out());
    // The buffers of both hops are bounded, independent of the source.
    assertTrue(figure(ended, "sent +([\\d,]+) events") < 10_000, ended.out());
    for (String process : List.of("source", "sink")) {
      long warm = figure(ended, process + " +(\\d+) MiB when warm");
      long end = figure(ended, process + " +\\d+ MiB when warm, (\\d+) MiB at the end");
      assertTrue(warm > 0 && end - warm <= 32, ended.out());
    }
  }

  private static long figure(Command.Ended ended, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(ended.out());
    assertTrue(matcher.find(), pattern + " in " + ended.out());
    return Long.parseLong(matcher.group(1).replace(",", ""));
  }

  @Test
  void reportsAFullDiskAsTheCause() throws Exception {
    Path input = Files.write(directory.resolve("zeros"), new byte[4 << 20]);
    Command.Ended ended = Command.run("demo", "--input", input.toString(), "--output", "/dev/full");
    assertEquals(1, ended.code());
    assertEquals(1, ended.errorLines().size(), ended.err());
    assertTrue(ended.err().contains("cannot write /dev/full: No space left"), ended.err());
  }

  @Test
  void rejectsAnEndlessInputWithoutABound() throws Exception {
    Command.Ended ended = Command.run("demo", "--input", "/dev/zero");
    assertEquals(2, ended.code(), ended.out());
    assertEquals(1, ended.errorLines().size(), ended.err());
    assertTrue(
        ended
            .err()
            .contains("--input /dev/zero is no regular file, so it may have no end; add --seconds"),
        ended.err());
  }

  @Test
  @Tag("deep")
  void sendsAnEndlessInputForTheGivenSeconds() throws Exception {
    Map<String, Object> result = demo("--seconds", "1", "--input", "/dev/zero");
    assertTrue(((Number) result.get("sent")).longValue() > 0);
  }

  static Stream<Boolean> forPrograms() {
    return Stream.of(false, true).limit(Depth.of(1, 2));
  }

  /** Uses the signal of Ctrl-C, which a terminal sends to all processes of the demo. */
  @ParameterizedTest
  @MethodSource("forPrograms")
  void interruptedDemoReportsItsPartialResult(boolean json) throws Exception {
    String[] more = json ? new String[] {"--json"} : new String[0];
    try (Command command = streaming(more)) {
      ProcessHandle source = command.child("demo-source");
      ProcessHandle stage = command.child("demo-stage");
      command.signal("INT", source, stage);
      Command.Ended ended = command.ended();

      assertEquals(130, ended.code(), ended.err());
      assertEquals(List.of(), ended.errorLines());
      if (json) {
        assertEquals(true, ended.json().get("interrupted"));
        assertTrue(((Number) ended.json().get("received")).longValue() > 0, ended.out());
      } else {
        assertTrue(ended.out().contains("interrupted after "), ended.out());
        assertTrue(figure(ended, "received +([\\d,]+)") > 0, ended.out());
      }
      Leftovers.assertNone(List.of(command.handle(), source, stage));
    }
  }

  static Stream<String> processes() {
    return Stream.of("demo-stage", "demo-source").limit(Depth.of(1, 2));
  }

  @ParameterizedTest
  @MethodSource("processes")
  void deathOfAProcessEndsTheDemo(String victim) throws Exception {
    try (Command command = streaming()) {
      List<ProcessHandle> all = new ArrayList<>(
          List.of(command.handle(), command.child("demo-source"), command.child("demo-stage")));
      command.child(victim).destroyForcibly();
      Command.Ended ended = command.ended();
      assertEquals(1, ended.code());
      assertEquals(1, ended.errorLines().size(), ended.err());
      assertTrue(ended.err().contains("killed by signal 9"), ended.err());
      Leftovers.assertNone(all);
    }
  }

  @Test
  void deathOfTheDemoEndsItsProcesses() throws Exception {
    try (Command command = streaming()) {
      List<ProcessHandle> children =
          List.of(command.child("demo-source"), command.child("demo-stage"));
      command.handle().destroyForcibly();
      Leftovers.assertNone(children);
    }
  }

  /** Starts a long demo and waits until the sink has received events. */
  private Command streaming(String... more) throws Exception {
    Path input = Files.write(directory.resolve("zeros"), new byte[4 << 20]);
    Path output = directory.resolve("received");
    List<String> arguments = new ArrayList<>(List.of(
        "demo", "--seconds", "30", "--input", input.toString(), "--output", output.toString()));
    arguments.addAll(List.of(more));
    // Background commands of a shell ignore the signal, and so do their children.
    Command command =
        Command.startOn(List.of("env", "--default-signal=INT"), arguments.toArray(String[]::new));
    await().atMost(Command.PATIENCE).until(() -> Files.exists(output) && Files.size(output) > 0);
    return command;
  }

  private static Map<String, Object> demo(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("demo", "--json"));
    all.addAll(List.of(arguments));
    Command.Ended ended = Command.run(all.toArray(new String[0]));
    assertEquals(0, ended.code(), ended.err());
    assertEquals(List.of(), ended.errorLines());
    Map<String, Object> result = ended.json();
    assertEquals(FIELDS, List.copyOf(result.keySet()));
    assertEquals(result.get("sent"), result.get("received"));
    assertEquals(true, result.get("checksumOk"));
    return result;
  }
}
