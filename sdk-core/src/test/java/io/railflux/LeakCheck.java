package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Requires that each test leaves no file in shared memory, no mapping, no engine thread and no descriptor. Each test
 * has its own directory, so that concurrent tests on the machine are not mistaken for leaks.
 */
final class LeakCheck implements BeforeEachCallback, AfterEachCallback {

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** One thread for all pools of the JVM. */
  private static final String LEAK_WATCH = "railflux-leak-watch";

  private static boolean warm;

  private Path directory;
  private List<String> threadsBefore;
  private long descriptorsBefore;

  /** Returns the base directory of the test's fabrics. */
  Path directory() {
    return directory;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    warmUp();
    directory = Files.createTempDirectory(SHARED_MEMORY, "railflux-test-");
    threadsBefore = engineThreads();
    descriptorsBefore = descriptors();
  }

  /** The first node of a JVM opens descriptors of the JDK that stay open. */
  private static void warmUp() throws IOException {
    if (warm) {
      return;
    }
    warm = true;
    Path directory = Files.createTempDirectory(SHARED_MEMORY, "railflux-test-");
    Nodes nodes = new Nodes(() -> directory);
    try {
      nodes.pair();
    } finally {
      nodes.closeAll();
      await().atMost(PATIENCE).until(() -> engineThreads().isEmpty());
      deleteTree(directory);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    try {
      await().atMost(PATIENCE).untilAsserted(this::assertNothingLeft);
    } finally {
      deleteTree(directory);
    }
  }

  private void assertNothingLeft() {
    assertEquals(List.of(), filesLeft(), "files in shared memory");
    assertEquals(threadsBefore, engineThreads(), "threads");
    assertEquals(List.of(), mappingsLeft(), "mappings");
    assertEquals(descriptorsBefore, descriptors(), "descriptors");
  }

  /** The user's directory and its lock file remain for the next node. */
  private List<String> filesLeft() {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> !file.equals(directory))
          .filter(file -> !file.getParent().equals(directory))
          .filter(file -> !file.getFileName().toString().equals("names.lock"))
          .map(Path::toString)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of("still changing: " + e.getMessage());
    }
  }

  static List<String> engineThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("railflux-") && !name.equals(LEAK_WATCH))
        .sorted()
        .toList();
  }

  private List<String> mappingsLeft() {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.contains(directory.toString())).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts sockets, selectors and files in shared memory, but no jars of class loaders. */
  private static long descriptors() {
    List<String> open = new ArrayList<>();
    try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path fd : fds) {
        target(fd, open);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return open.stream()
        .filter(to -> to.startsWith("socket:")
            || to.startsWith("anon_inode:")
            || to.startsWith(SHARED_MEMORY.toString()))
        .count();
  }

  private static void target(Path fd, List<String> open) {
    try {
      open.add(Files.readSymbolicLink(fd).toString());
    } catch (IOException e) {
      // Closed during the walk, for instance the descriptor of the directory stream.
      return;
    }
  }

  private static void deleteTree(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
