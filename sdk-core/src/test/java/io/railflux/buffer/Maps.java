package io.railflux.buffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel says this process has mapped. */
final class Maps {

  private Maps() {}

  /** How many mappings of that file there are; also of one that was unlinked since. */
  static long of(Path file) throws IOException {
    String name = file.toRealPath().getParent().resolve(file.getFileName()).toString();
    return count(name);
  }

  static long count(String name) throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(name)).count();
    }
  }
}
