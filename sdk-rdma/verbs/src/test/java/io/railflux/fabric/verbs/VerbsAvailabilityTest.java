package io.railflux.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Availability;
import io.railflux.fabric.verbs.internal.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every missing prerequisite is reported with its remedy. */
class VerbsAvailabilityTest {

  @TempDir
  Path root;

  private String operatingSystem = "Linux";
  private String architecture = "amd64";
  private VerbsAvailability.Loader libraries = library -> {};

  @BeforeEach
  void hostWithWorkingVerbs() throws IOException {
    libraryFiles("44");
    write("proc/self/limits", "Max locked memory         unlimited            unlimited   bytes");
    write("proc/self/status", "CapEff:\t0000000000000000");
    write("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE");
    write("dev/infiniband/rdma_cm", "");
    write("dev/infiniband/uverbs0", "");
  }

  private void libraryFiles(String release) throws IOException {
    write(
        "proc/self/maps",
        "0-1 r-xp 0 0 0 /usr/lib/libibverbs.so.1.14." + release + ".0\n"
            + "0-1 r-xp 0 0 0 /usr/lib/librdmacm.so.1.3." + release + ".0\n");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private Availability check() {
    return new VerbsAvailability(root, operatingSystem, architecture, libraries).check();
  }

  @Test
  void reportsDeviceAndVersionIfAvailable() {
    assertEquals(Availability.yes("rxe0 through rdma-core 44"), check());
  }

  @Test
  void anotherOperatingSystem() {
    operatingSystem = "Mac OS X";
    assertUnavailable("Mac OS X", "another fabric");
  }

  @Test
  void anotherProcessor() {
    architecture = "s390x";
    assertUnavailable("s390x", "another fabric");
  }

  @Test
  void aMissingLibrary() {
    libraries = library -> {
      if (library == NativeLibrary.RDMACM) {
        throw new IllegalArgumentException("cannot open library");
      }
    };
    assertUnavailable("librdmacm.so.1 is not installed", "apt-get install");
  }

  @Test
  void aMissingFlag() {
    libraries = library -> {
      throw new IllegalCallerException("illegal native access");
    };
    assertUnavailable("forbids native access", "--enable-native-access");
  }

  @Test
  void anUnknownVersion() throws IOException {
    libraryFiles("99");
    assertUnavailable("rdma-core 99", "install rdma-core");
  }

  @Test
  void noVersionAtAll() throws IOException {
    write("proc/self/maps", "");
    assertUnavailable("version of libibverbs.so.1", "install rdma-core");
  }

  @Test
  void noDevice() throws IOException {
    remove("sys/class/infiniband/rxe0/ports/1/state");
    remove("sys/class/infiniband/rxe0/ports/1");
    remove("sys/class/infiniband/rxe0/ports");
    remove("sys/class/infiniband/rxe0");
    assertUnavailable("no RDMA device", "rdma link add");
  }

  @Test
  void noActivePort() throws IOException {
    write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN");
    assertUnavailable("no port of rxe0 is active", "ip link set");
  }

  @Test
  void noConnectionManager() throws IOException {
    remove("dev/infiniband/rdma_cm");
    assertUnavailable("rdma_cm does not exist", "modprobe rdma_ucm");
  }

  @Test
  void noPermission() throws IOException {
    Path device = root.resolve("dev/infiniband/uverbs0");
    Files.setPosixFilePermissions(device, java.util.Set.of());
    org.junit.jupiter.api.Assumptions.assumeFalse(
        Files.isReadable(device), "this user may read everything");
    assertUnavailable("no permission to open", "/dev/infiniband");
  }

  @Test
  void insufficientLockableMemory() throws IOException {
    write("proc/self/limits", "Max locked memory         8388608      8388608     bytes");
    assertUnavailable("only 8192 KiB", "ulimit -l");
  }

  @Test
  void privilegedUserNeedsNoLimit() throws IOException {
    write("proc/self/limits", "Max locked memory         65536        65536       bytes");
    write("proc/self/status", "CapEff:\t0000000000004000");
    assertTrue(check().available());
  }

  private void remove(String file) throws IOException {
    Files.delete(root.resolve(file));
  }

  private void assertUnavailable(String reason, String remedy) {
    Availability found = check();

    assertFalse(found.available());
    assertTrue(found.reason().contains(reason), found::reason);
    assertTrue(found.remedy().contains(remedy), found::remedy);
  }
}
