package io.railflux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that starts, binds, connects and serves a first stream logs no warning, even on a busy machine. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class QuietStartTest {

  /** More processes than processors, so that each process has to wait. */
  private static final int PROCESSES = 2 * Runtime.getRuntime().availableProcessors();

  private static Process start(String address) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            FirstStream.class.getName(),
            address)
        .redirectErrorStream(true)
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp:127.0.0.1:0", "shm:first-stream-"})
  void logsNoWarning(String address) throws Exception {
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(start(address.endsWith("-") ? address + i : address));
      }
      for (Process process : processes) {
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(output.contains(FirstStream.DONE), output);
        assertFalse(Stream.of(" WARN ", " ERROR ").anyMatch(output::contains), output);
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }
}
