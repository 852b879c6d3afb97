package io.railflux.samples.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftoversTest {

  /** A process id beyond the maximum of Linux. */
  private static final long NOBODY = 1L << 23;

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @Test
  void removesTheFilesOfThatProcessOnly() throws IOException {
    long owner = NOBODY << Short.SIZE | 3;
    Path aeron = Files.createDirectory(SHARED_MEMORY.resolve("railflux-aeron-" + NOBODY + "-0"));
    Path log =
        Files.createFile(Files.createDirectory(aeron.resolve("publications")).resolve("1"));
    Path ring = Files.createFile(SHARED_MEMORY.resolve("railflux-raw-" + owner + "-7"));
    Path bell = Files.createFile(SHARED_MEMORY.resolve("railflux-raw-" + owner + "-bell"));
    Path others = Files.createFile(SHARED_MEMORY.resolve("railflux-aeron-" + (NOBODY + 1) + "-0"));
    try {
      Leftovers.remove(NOBODY);
      assertEquals(
          List.of(others),
          List.of(aeron, log, ring, bell, others).stream().filter(Files::exists).toList());
    } finally {
      Files.delete(others);
    }
  }
}
