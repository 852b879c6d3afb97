package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * As {@link LeakCheck}, for tests of other modules, whose nodes use the common directory. Resources that exist before a
 * test, such as those of a shared node, may exist after it.
 */
public final class NothingLeft implements BeforeEachCallback, AfterEachCallback {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Instantiated by JUnit as a service. */
  public NothingLeft() {}

  /** The resources of Railflux in a process. */
  private record Holdings(List<String> threads, List<String> mappings, List<String> files) {

    static Holdings now() {
      return new Holdings(LeakCheck.engineThreads(), ownMappings(), ownFiles());
    }

    private static List<String> ownMappings() {
      try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
        return maps.filter(line -> line.contains("/dev/shm/railflux-")).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The name of a file contains the process id of its creator. */
    private static List<String> ownFiles() {
      String own = ".*\\b" + ProcessHandle.current().pid() + "\\b.*";
      try (Stream<Path> files = Files.walk(Path.of("/dev/shm"))) {
        return files
            .map(Path::toString)
            .filter(file -> file.matches(own))
            .sorted()
            .toList();
      } catch (IOException | UncheckedIOException e) {
        return List.of("still changing: " + e.getMessage());
      }
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(Namespace.create(NothingLeft.class)).put("before", Holdings.now());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Object before = context.getStore(Namespace.create(NothingLeft.class)).get("before");
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(before, Holdings.now()));
  }
}
