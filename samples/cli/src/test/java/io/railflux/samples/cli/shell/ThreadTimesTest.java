package io.railflux.samples.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.samples.cli.shell.ThreadTimes.Purpose;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads files as the kernel writes them for each thread, with 10 ms per tick. */
class ThreadTimesTest {

  @TempDir
  private Path tasks;

  @ParameterizedTest
  @CsvSource({
    "C1 CompilerThre, COMPILER",
    "C2 CompilerThre, COMPILER",
    "GC Thread#1, COLLECTOR",
    "G1 Conc#0, COLLECTOR",
    "ZWorkerYoung#0, COLLECTOR",
    "railflux-perf-r, ENGINE",
    "railflux-drain-, OTHER",
    "VM Thread, OTHER",
    "java, OTHER"
  })
  void addsUserAndSystemTimeByThePurposeOfTheThread(String thread, Purpose purpose)
      throws IOException {
    thread(7, thread, 3, 4);
    assertEquals(Map.of(purpose, 70L), times().next());
  }

  @Test
  void returnsTheTimeSinceThePreviousReading() throws IOException {
    ThreadTimes times = times();
    thread(7, "C2 CompilerThre", 5, 0);
    times.next();
    thread(7, "C2 CompilerThre", 6, 1);
    thread(8, "C2 CompilerThre", 3, 0);
    assertEquals(Map.of(Purpose.COMPILER, 50L), times.next());
  }

  @Test
  void keepsTheTimeOfThreadsThatEnded() throws IOException {
    ThreadTimes times = times();
    thread(7, "C1 CompilerThre", 5, 0);
    thread(8, "C1 CompilerThre", 5, 0);
    times.next();
    Files.delete(tasks.resolve("7/stat"));
    thread(8, "C1 CompilerThre", 6, 0);
    assertEquals(Map.of(Purpose.COMPILER, 10L), times.next());
  }

  @Test
  void namesOfThreadsMayContainParentheses() throws IOException {
    thread(7, "a) S 1 (b", 1, 1);
    assertEquals(Map.of(Purpose.OTHER, 20L), times().next());
  }

  @Test
  void isNotAvailableWithoutTheFilesOfTheKernel() {
    ThreadTimes times = new ThreadTimes(tasks.resolve("missing"), "perf-receiver");
    assertFalse(times.available());
    assertTrue(times.next().isEmpty());
  }

  private ThreadTimes times() {
    return new ThreadTimes(tasks, "perf-receiver");
  }

  private void thread(int id, String name, int userTicks, int systemTicks) throws IOException {
    Path directory = Files.createDirectories(tasks.resolve(String.valueOf(id)));
    Files.writeString(
        directory.resolve("stat"),
        id + " (" + name + ") S 1 1 1 0 -1 4194304 100 0 0 0 " + userTicks + " " + systemTicks
            + " 0 0 20 0 1 0 4711 0 0\n");
  }
}
