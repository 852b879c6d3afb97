package io.railflux.buffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The mappings of this process according to the kernel. */
final class Maps {

  private Maps() {}

  /** Returns the number of mappings of a file, even if it is unlinked. */
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
