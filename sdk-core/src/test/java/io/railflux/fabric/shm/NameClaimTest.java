package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Fabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class NameClaimTest {

  private Rig rig;

  @BeforeEach
  void open() throws IOException {
    rig = new Rig();
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
  }

  @Test
  void reportsTheHolderOfAClaimedName() throws IOException {
    try (Fabric.Listening listening = rig.far.listen("orders", rig.farEars)) {
      IOException refusal =
          assertThrows(IOException.class, () -> rig.near.listen("orders", rig.nearEars));

      String holder = "is taken by process " + ProcessHandle.current().pid();
      assertTrue(refusal.getMessage().endsWith(holder), refusal.getMessage());
      rig.near.connect(listening.location(), 1, rig.nearEars);
      rig.await(() -> !rig.nearEars.connected.isEmpty());
    }
  }

  @Test
  void replacesAStaleName() throws IOException {
    Path dead = rig.userDirectory().resolve("p-1-2-3-4");
    Files.createDirectory(dead);
    Files.createSymbolicLink(rig.userDirectory().resolve("orders.sock"), Path.of("p-1-2-3-4/s1"));

    rig.far.listen("orders", rig.farEars);
    rig.near.connect("orders", 1, rig.nearEars);
    rig.await(() -> !rig.nearEars.connected.isEmpty());
  }

  @Test
  void doesNotTouchOtherFiles() throws IOException {
    Path file = rig.base.resolve("precious");
    Files.writeString(file, "data");

    IOException refusal =
        assertThrows(IOException.class, () -> rig.far.listen(file.toString(), rig.farEars));
    assertTrue(refusal.getMessage().contains("is not a name"), refusal.getMessage());
    assertEquals("data", Files.readString(file));
  }

  @Test
  void locationMayBeAnAbsolutePath() throws IOException {
    Path path = rig.base.resolve("elsewhere.sock");
    try (Fabric.Listening listening = rig.far.listen(path.toString(), rig.farEars)) {
      assertEquals(path.toString(), listening.location());
      rig.near.connect(path.toString(), 1, rig.nearEars);
      rig.await(() -> !rig.nearEars.connected.isEmpty());
    }
    assertFalse(Files.exists(path, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void rejectsLocationsOutsideOfTheDirectory() {
    String tooLong = "x".repeat(65);
    for (String location : List.of("", "../x", "a/b", "a b", tooLong, "nul\0", "/nul\0")) {
      assertThrows(IOException.class, () -> rig.far.listen(location, rig.farEars), location);
      rig.near.connect(location, 1, rig.nearEars);
    }
    rig.await(() -> rig.nearEars.refused.size() == 7);
  }

  @Test
  void reportsAPathThatIsTooLongForTheKernel() {
    String path = "/dev/shm/" + "x".repeat(99);

    IOException refusal = assertThrows(IOException.class, () -> rig.far.listen(path, rig.farEars));
    assertTrue(refusal.getMessage().contains("has 108 bytes, the kernel takes 107"));
  }

  @Test
  void closeRemovesAllFiles() throws IOException {
    rig.far.listen("orders", rig.farEars).close();

    assertEquals(List.of(), rig.files());
  }

  @Test
  void keepsANameThatWasReplaced() throws IOException {
    Fabric.Listening listening = rig.far.listen("orders", rig.farEars);
    Path name = rig.userDirectory().resolve("orders.sock");
    Files.delete(name);
    Files.createSymbolicLink(name, Path.of("p-1-2-3-4/s1"));
    listening.close();

    assertTrue(Files.isSymbolicLink(name));
  }
}
