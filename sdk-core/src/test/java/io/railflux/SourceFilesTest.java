package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files are small enough to be read in one go. */
class SourceFilesTest {

  private static final long MAX_LINES = 400;
  private static final String REASON = "// More than 400 lines: ";
  private static final long USUAL_LINES = 300;

  private final Map<Path, Long> linesOf = linesOfSourceFiles();

  @Test
  void longerFilesStateTheReasonInTheirHead() {
    List<Path> unexplained = linesOf.entrySet().stream()
        .filter(file -> file.getValue() > MAX_LINES)
        .map(Map.Entry::getKey)
        .filter(file -> !isExplained(repositoryRoot().resolve(file)))
        .toList();
    assertEquals(List.of(), unexplained);
  }

  private static boolean isExplained(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.anyMatch(line -> line.startsWith(REASON));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nineFilesInTenHaveAtMost300Lines() {
    List<Path> longer = linesOf.entrySet().stream()
        .filter(file -> file.getValue() > USUAL_LINES)
        .map(Map.Entry::getKey)
        .toList();
    assertTrue(
        longer.size() * 10 <= linesOf.size(),
        () -> "of " + linesOf.size() + " files too many are long: " + longer);
  }

  private static Map<Path, Long> linesOfSourceFiles() {
    Path root = repositoryRoot();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.toString().contains("/target/"))
          .collect(Collectors.toMap(
              root::relativize, SourceFilesTest::countLines, Long::max, TreeMap::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path repositoryRoot() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("sdk-bom"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  private static long countLines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
