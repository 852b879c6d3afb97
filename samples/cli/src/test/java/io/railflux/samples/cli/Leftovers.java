package io.railflux.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What processes leave behind in shared memory. */
final class Leftovers {

  private Leftovers() {}

  /** Nothing carries the id of any of these processes, at the latest after a moment. */
  static void assertNone(List<ProcessHandle> processes) throws InterruptedException {
    List<String> found = List.of();
    for (int i = 0; i < 100; i++) {
      found = find(processes);
      if (found.isEmpty()) {
        return;
      }
      Thread.sleep(50);
    }
    assertEquals(List.of(), found);
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
      // Files of others come and go while this walks.
      found.add("unknown: " + e);
    }
    return found;
  }
}
