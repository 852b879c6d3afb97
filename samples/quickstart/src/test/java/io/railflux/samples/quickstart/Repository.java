package io.railflux.samples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files this checkout is made of. */
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

  /** Files below {@code directory} whose names end so; nothing that was built. */
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

  /** The README and the guides. */
  static List<Path> documents() {
    return Stream.concat(Stream.of(ROOT.resolve("README.md")), files("docs", ".md").stream())
        .toList();
  }

  /** A name without directories and ending. */
  static String simpleName(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }
}
