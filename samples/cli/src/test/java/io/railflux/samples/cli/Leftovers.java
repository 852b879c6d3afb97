package io.railflux.samples.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files that processes leave in shared memory. */
final class Leftovers {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Leftovers() {}

  /** Requires that files of these processes disappear within a short time. */
  static void assertNone(List<ProcessHandle> processes) {
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(List.of(), find(processes)));
  }

  /** Returns whether a process is connected: it has mapped the ring of a peer. */
  static boolean mapsARing(ProcessHandle process) throws IOException {
    return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "maps"))
        .contains("/dev/shm/railflux-");
  }

  private static List<String> find(List<ProcessHandle> processes) {
    List<String> found = new ArrayList<>();
    for (ProcessHandle process : processes) {
      if (process.isAlive()) {
        found.add("process " + process.pid());
      }
    }
    try (Stream<Path> files = Files.walk(Path.of("/dev/shm"))) {
      for (Path file : files.toList()) {
        for (ProcessHandle process : processes) {
          if (file.getFileName().toString().matches(".*\\b" + process.pid() + "\\b.*")) {
            found.add(file.toString());
          }
        }
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      // Files of other processes may change during the walk.
      found.add("unknown: " + e);
    }
    return found;
  }
}
