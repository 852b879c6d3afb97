package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.shm.files.UserDirectory;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class ShmAvailabilityTest {

  @TempDir
  Path directory;

  @BeforeEach
  void resolveLinks() throws IOException {
    directory = directory.toRealPath();
  }

  @Test
  void isAvailableOnThisMachine() {
    Availability found = new ShmFabricProvider().availability();

    assumeTrue(found.available(), () -> found.reason() + "; " + found.remedy());
    assertTrue(found.reason().contains("MiB free in /dev/shm"), found.reason());
  }

  @Test
  void acceptsAnotherDirectory() {
    assertTrue(ShmAvailability.of(directory).check().available());
  }

  @Test
  void reportsOtherSystems() {
    assertRejected(
        new ShmAvailability(directory, "Mac OS X", ByteOrder.LITTLE_ENDIAN),
        "shared memory needs Linux, this is Mac OS X",
        "use another fabric that doctor lists as available");
  }

  @Test
  void rejectsBigEndian() {
    assertRejected(
        new ShmAvailability(directory, "Linux", ByteOrder.BIG_ENDIAN),
        "little-endian",
        "another fabric");
  }

  @Test
  void reportsAMissingDirectory() {
    Path missing = directory.resolve("nothing");
    assertRejected(
        ShmAvailability.of(missing), missing + " does not exist", "-Drailflux.shm.directory");
  }

  @Test
  void rejectsADirectoryThatIsOpenToOtherUsers() throws IOException {
    new ShmFabricProvider(directory).open(new Loop()).close();
    Path user;
    try (Stream<Path> entries = Files.list(directory)) {
      user = entries.findFirst().orElseThrow();
    }
    Files.setPosixFilePermissions(user, PosixFilePermissions.fromString("rwxr-x---"));

    assertRejected(ShmAvailability.of(directory), "is open to other users", "remove it");
    FabricUnavailableException refusal = assertThrows(
        FabricUnavailableException.class, () -> new ShmFabricProvider(directory).open(new Loop()));
    assertEquals("shm", refusal.fabric());
  }

  @Test
  void rejectsADirectoryOfAnotherUser() throws IOException {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root can change the owner");
    Path user = UserDirectory.open(directory).path();
    Files.setAttribute(user, "unix:uid", 65534);

    assertRejected(
        ShmAvailability.of(directory), "belongs to another user (uid 65534)", "remove it");
  }

  @Test
  void rejectsAFileInPlaceOfTheDirectory() throws IOException {
    Path user = UserDirectory.open(directory).path();
    Files.delete(user);
    Files.createFile(user);

    assertRejected(ShmAvailability.of(directory), "is not a directory", "remove it");
  }

  @Test
  void exhaustedSpaceHasASpecificRemedy() {
    assertTrue(ShmAvailability.roomRemedy(Path.of("/dev/shm/x")).contains("--shm-size=1g"));
    assertFalse(ShmAvailability.roomRemedy(directory).contains("--shm-size"));
  }

  private static void assertRejected(ShmAvailability asked, String reason, String remedy) {
    Availability found = asked.check();
    assertFalse(found.available());
    assertTrue(found.reason().contains(reason), found.reason());
    assertTrue(found.remedy().contains(remedy), found.remedy());
  }
}
