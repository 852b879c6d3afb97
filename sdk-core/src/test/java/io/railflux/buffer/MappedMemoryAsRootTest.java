package io.railflux.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Cases that only root can set up: a full file system, and a file of another user. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class MappedMemoryAsRootTest {

  private static final int NOBODY = 65534;

  @TempDir
  Path directory;

  @BeforeEach
  void needsRoot() throws IOException {
    assumeTrue(CurrentUser.id() == 0, "only root can mount a file system and give files away");
  }

  @Test
  void fullFileSystemFailsTheCreationAndLeavesNoFile() throws Exception {
    Path small = Files.createDirectory(directory.resolve("small"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=1m", "railflux-test", small.toString()) == 0,
        "this root may not mount");
    try {
      Exception full = assertThrows(
          IOException.class, () -> MappedMemory.create(small.resolve("ring"), 2 << 20));
      assertTrue(
          full.getMessage()
              .startsWith("cannot allocate 2097152 bytes of shared memory at " + small),
          full.getMessage());
      assertTrue(full.getMessage().contains("No space left on device"), full.getMessage());
      try (Stream<Path> left = Files.list(small)) {
        assertEquals(0, left.count());
      }
      MappedMemory.create(small.resolve("ring"), 512 << 10).close();
    } finally {
      run("umount", small.toString());
    }
  }

  @Test
  void rejectsFilesOfOtherUsers() throws IOException {
    Path file = directory.resolve("ring");
    try (MappedMemory created = MappedMemory.create(file, 4096)) {
      Files.setAttribute(created.path(), "unix:uid", NOBODY);
      Exception refusal = assertThrows(IOException.class, () -> MappedMemory.open(file, 4096));
      assertEquals(
          "shared memory " + file + " is refused: it belongs to uid " + NOBODY,
          refusal.getMessage());
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
