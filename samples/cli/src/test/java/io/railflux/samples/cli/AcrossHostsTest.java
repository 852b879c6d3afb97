package io.railflux.samples.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.TwoHosts;
import io.railflux.TwoHosts.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands with their sides on two hosts. */
@Tag("deep")
class AcrossHostsTest {

  private static final String ADDRESS = Host.B.address() + ":4711";

  @RegisterExtension
  final TwoHosts hosts = new TwoHosts();

  @TempDir
  Path directory;

  private String secret;

  @BeforeEach
  void agreeOnASecret() throws Exception {
    Path file = Files.writeString(directory.resolve("secret"), "known to both hosts alone");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    secret = file.toString();
  }

  private static void awaitListening(Command command) {
    await()
        .atMost(Command.PATIENCE)
        .until(() -> command.outputSoFar().contains("listening on tcp:" + ADDRESS));
  }

  @Test
  void demoSendsAFileToAnotherHost() throws Exception {
    Path input = directory.resolve("in");
    byte[] bytes = new byte[3_000_000];
    new Random(11).nextBytes(bytes);
    Files.write(input, bytes);
    Path output = directory.resolve("out");
    try (Command sink = Command.startOn(
        hosts.on(Host.B),
        "demo",
        "--json",
        "--secret-file",
        secret,
        "--listen",
        ADDRESS,
        "--output",
        output.toString())) {
      awaitListening(sink);
      try (Command source = Command.startOn(
          hosts.on(Host.A),
          "demo",
          "--json",
          "--secret-file",
          secret,
          "--connect",
          ADDRESS,
          "--input",
          input.toString(),
          "--seconds",
          "3")) {
        Map<String, Object> sent = proof(source);
        assertEquals(sent, proof(sink));
        assertEquals("tcp", sent.get("fabric"));
      }
    }
    assertEquals(-1, Files.mismatch(input, output));
  }

  private static Map<String, Object> proof(Command command) throws Exception {
    Command.Ended ended = command.ended();
    assertEquals(0, ended.code(), ended.err());
    Map<String, Object> result = ended.json();
    assertTrue(((Number) result.get("sent")).longValue() > 0, ended.out());
    assertEquals(result.get("sent"), result.get("received"));
    assertEquals(true, result.get("checksumOk"));
    return result;
  }

  @Test
  void perfMeasuresBetweenHostsAgainstBareSockets() throws Exception {
    try (Command far =
        Command.startOn(hosts.on(Host.B), "perf", "--secret-file", secret, "--listen", ADDRESS)) {
      awaitListening(far);
      try (Command near = Command.startOn(
          hosts.on(Host.A),
          "perf",
          "--json",
          "--seconds",
          "1",
          "--raw",
          "--secret-file",
          secret,
          "--connect",
          ADDRESS)) {
        Command.Ended ended = near.ended();
        assertEquals(0, ended.code(), ended.err());
        assertTrue(((Number) ended.json().get("rawBlockingMicros")).doubleValue() > 0);
      }
      assertEquals(0, far.ended().code());
    }
  }

  @Test
  void doctorReportsTheRailsToAPeer() throws Exception {
    try (Command far =
        Command.startOn(hosts.on(Host.B), "doctor", "--secret-file", secret, "--listen", ADDRESS)) {
      awaitListening(far);
      try (Command near = Command.startOn(
          hosts.on(Host.A), "doctor", "--json", "--secret-file", secret, "--connect", ADDRESS)) {
        Command.Ended ended = near.ended();
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.json().get("reach").toString().contains("over tcp"), ended.out());
      }
      assertEquals(0, far.ended().code());
    }
  }
}
