package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A file system as small as /dev/shm in many containers. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class ShmFullTest {

  @TempDir
  Path directory;

  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=20m", "railflux-test", directory.toString());
    assumeTrue(mounted, "only root with mount permission can run this");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      run("umount", directory.toString());
    }
  }

  @Test
  void exposureBeyondTheFreeSpaceFailsAndLeavesNoFile() throws IOException {
    Loop loop = new Loop();
    Ears ears = new Ears();
    try (Fabric fabric = new ShmFabricProvider(directory).open(loop)) {
      fabric.listen("self", ears);
      fabric.connect("self", 1, ears);
      while (ears.connected.size() < 2) {
        fabric.poll(16);
      }
      long before = Files.getFileStore(directory).getUsableSpace();
      FabricUnavailableException full = assertThrows(
          FabricUnavailableException.class,
          () -> ears.connected.get(0).expose(32 << 20, Access.REMOTE_ALL));

      assertTrue(full.reason().contains("No space left on device"), full.reason());
      assertEquals("make room in " + directory, full.remedy().replaceAll("/railflux.*", ""));
      assertEquals(before, Files.getFileStore(directory).getUsableSpace());
      ears.connected.get(0).expose(1 << 20, Access.REMOTE_ALL);
    }
    loop.close();
  }

  @Test
  void connectionWithoutSpaceFailsWithTheReason() throws IOException {
    Loop loop = new Loop();
    Ears ears = new Ears();
    try (Fabric fabric = new ShmFabricProvider(directory).open(loop)) {
      fabric.listen("self", ears);
      fill();
      fabric.connect("self", 1, ears);
      while (ears.refused.isEmpty()) {
        fabric.poll(16);
      }
      assertTrue(ears.refused.get(0).contains("No space left"), ears.refused.get(0));
    }
    loop.close();
  }

  @Test
  void insufficientSpaceMakesTheFabricUnavailable() throws IOException {
    fill();
    Availability found = new ShmFabricProvider(directory).availability();

    assertFalse(found.available());
    assertEquals(directory + " has 0 MiB free", found.reason());
  }

  private void fill() throws IOException {
    byte[] block = new byte[64 * 1024];
    try (var file = Files.newOutputStream(directory.resolve("filler"))) {
      while (true) {
        file.write(block);
      }
    } catch (IOException e) {
      // The exception is intended: the file system is full.
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }
}
