package io.railflux.samples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Files of shared memory that this process maps. A file has no name after both sides mapped it. */
final class SharedMemoryInUse {

  private SharedMemoryInUse() {}

  /** Returns the mapped bytes, counted by inode: both nodes of a test map the same file. */
  static long bytes() {
    Map<String, Long> files = new HashMap<>();
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.filter(line -> line.contains("/dev/shm/railflux-")).forEach(line -> {
        List<String> fields = List.of(line.split("\\s+", -1));
        files.merge(fields.get(4), length(fields.get(0)), Math::max);
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files.values().stream().mapToLong(Long::longValue).sum();
  }

  private static long length(String range) {
    int dash = range.indexOf('-');
    return Long.parseLong(range.substring(dash + 1), 16)
        - Long.parseLong(range.substring(0, dash), 16);
  }
}
