package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.RealContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One defect at a time, on a machine that consists of files. */
class DisniAvailabilityTest {

  @TempDir
  private Path machine;

  private Path devices;
  private Path nodes;
  private String operatingSystem = "Linux";
  private boolean opened = true;

  @BeforeEach
  void machineWithEverything() throws IOException {
    devices = Files.createDirectories(machine.resolve("sys"));
    nodes = Files.createDirectories(machine.resolve("dev"));
    Files.createFile(machine.resolve(System.mapLibraryName("disni")));
    Files.createFile(nodes.resolve("rdma_cm"));
    Files.createFile(nodes.resolve("uverbs0"));
    device("rxe0", "1: CA");
  }

  @Test
  void otherSystemsHaveNoDisni() {
    operatingSystem = "Mac OS X";
    assertMissing("Mac OS X", "another fabric");
  }

  @Test
  void theLibraryIsMissing() throws IOException {
    Files.delete(machine.resolve(System.mapLibraryName("disni")));
    assertMissing("libdisni.so is in no directory", "-Djava.library.path=");
  }

  @Test
  void theFlagIsMissing() {
    opened = false;
    assertMissing("addresses of buffers", DisniAvailability.FLAG);
  }

  @Test
  void deviceIsMissing() throws IOException {
    Files.delete(devices.resolve("rxe0/node_type"));
    Files.delete(devices.resolve("rxe0"));
    assertMissing("no RDMA device", "rdma link add");
  }

  @Test
  void deviceOfTheRequiredKindIsMissing() throws IOException {
    device("rxe0", "4: RNIC");
    assertMissing("none is InfiniBand or RoCE", "rdma link add");
  }

  @Test
  void theConnectionManagerIsNotLoaded() throws IOException {
    Files.delete(nodes.resolve("rdma_cm"));
    assertMissing("rdma_cm does not exist", "modprobe rdma_ucm");
  }

  @Test
  void verbsAreNotLoaded() throws IOException {
    Files.delete(nodes.resolve("uverbs0"));
    assertMissing("uverbs* does not exist", "modprobe ib_uverbs");
  }

  @Test
  void theUserMayNotOpenTheDevice() throws IOException {
    Path node = nodes.resolve("uverbs0");
    Files.setPosixFilePermissions(node, PosixFilePermissions.fromString("r--------"));
    assumeFalse(Files.isWritable(node), "this user may access everything");
    assertMissing("may not open", "read and write access");
  }

  @Test
  void theLibraryCannotBeLoaded() {
    // The file is empty, and it is in no library directory of the JVM.
    assumeFalse(new DisniFabricProvider().availability().available(), "DiSNI works here");
    assertMissing("cannot be used", "build it");
  }

  @Test
  void openReportsTheSame() throws IOException {
    DisniFabricProvider provider =
        new DisniFabricProvider(() -> Availability.no("a reason", "a remedy"));
    try (RealContext context = new RealContext()) {
      FabricUnavailableException refusal =
          assertThrows(FabricUnavailableException.class, () -> provider.open(context));
      assertEquals("a reason", refusal.reason());
      assertEquals("a remedy", refusal.remedy());
    }
  }

  private void device(String name, String type) throws IOException {
    Path directory = Files.createDirectories(devices.resolve(name));
    Files.writeString(directory.resolve("node_type"), type + "\n");
  }

  private void assertMissing(String reason, String remedy) {
    Availability found =
        new DisniAvailability(operatingSystem, machine.toString(), opened, devices, nodes).check();
    assertFalse(found.available());
    assertTrue(found.reason().contains(reason), found::reason);
    assertTrue(found.remedy().contains(remedy), found::remedy);
    assertEquals(1, found.reason().lines().count());
  }
}
