package io.railflux.samples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of this checkout. */
final class Repository {

  static final Path ROOT = root();

  private Repository() {}

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("sdk-bom"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  static String read(String path) {
    return read(ROOT.resolve(path));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns files below {@code directory} with a suffix, without build output. */
  static List<Path> files(String directory, String ending) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the README and the guides. */
  static List<Path> documents() {
    return Stream.concat(Stream.of(ROOT.resolve("README.md")), files("docs", ".md").stream())
        .toList();
  }

  /** Returns a name without directories and suffix. */
  static String simpleName(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }
}
