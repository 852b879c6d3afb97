package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.files.ProcessDirectory;
import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.files.StaleFiles;
import io.railflux.fabric.shm.files.UserDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class StaleFilesTest {

  private Path base;
  private UserDirectory user;
  private ProcessIdentity self;
  private StaleFiles stale;

  @BeforeEach
  void open() throws IOException {
    base = Files.createTempDirectory(Path.of("/dev/shm"), "railflux-test-");
    user = UserDirectory.open(base);
    self = ProcessIdentity.current();
    stale = new StaleFiles(user, self);
  }

  @AfterEach
  void close() throws IOException {
    Rig.deleteTree(base);
  }

  @Test
  void unlockedDirectoryIsRemovedWithItsFilesAndNames() throws IOException {
    ProcessIdentity dead = new ProcessIdentity(1, 2, 3, 4);
    Path directory = directory(dead);
    Files.createFile(directory.resolve(ProcessDirectory.LOCK));
    Files.createFile(directory.resolve("r-1"));
    Path name = user.path().resolve("orders.sock");
    Files.createSymbolicLink(name, Path.of(dead.directoryName(), "s1"));
    stale.sweep();

    assertFalse(Files.exists(directory));
    assertFalse(Files.exists(name, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void failedRemovalDoesNotPreventOthers() throws IOException {
    for (int process = 1; process <= 3; process++) {
      Path directory = directory(new ProcessIdentity(1, process, 3, 4));
      Files.createFile(directory.resolve(ProcessDirectory.LOCK));
      Files.createDirectories(process == 2 ? directory.resolve("not/ours") : directory);
    }
    Path name = user.path().resolve("orders.sock");
    Files.createSymbolicLink(name, Path.of("gone", "s1"));
    stale.sweep();

    Path left = user.path().resolve(new ProcessIdentity(1, 2, 3, 4).directoryName());
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(user.path(), "p-*")) {
      assertEquals(
          List.of(left), StreamSupport.stream(directories.spliterator(), false).toList());
    }
    assertFalse(Files.exists(name, LinkOption.NOFOLLOW_LINKS));
    assertTrue(
        Files.exists(left.resolve(ProcessDirectory.LOCK)),
        "others continue at the remaining position");
  }

  @Test
  void doesNotFollowALinkInPlaceOfADirectory() throws IOException {
    Path keys = Files.createDirectory(base.resolve("keys"));
    Path key = Files.createFile(keys.resolve("key.pem"));
    ProcessIdentity dead = new ProcessIdentity(1, 2, 3, 4);
    Files.createFile(keys.resolve(ProcessDirectory.LOCK));
    Files.createSymbolicLink(user.path().resolve(dead.directoryName()), keys);
    stale.sweep();

    assertTrue(Files.exists(key));
  }

  @Test
  void ownDirectoriesAreNeverTouched() throws IOException {
    try (ProcessDirectory own = ProcessDirectory.create(user, self)) {
      stale.sweep();
      assertFalse(stale.sweep(own.identity()));

      assertTrue(Files.exists(own.path().resolve(ProcessDirectory.LOCK)));
    }
  }

  @Test
  void keepsADirectoryDuringItsCreation() throws IOException {
    // The parent of this process is alive and in the same namespace.
    ProcessIdentity parent = livingParent();
    Path directory = directory(parent);
    stale.sweep();

    assertTrue(Files.exists(directory));
  }

  @Test
  void removesAnAbandonedUnfinishedDirectory() throws IOException {
    Path directory =
        directory(new ProcessIdentity(self.namespace(), self.pid(), self.startTicks() - 1, 1));
    stale.sweep();

    assertFalse(Files.exists(directory));
  }

  @Test
  void keepsAnUnfinishedDirectoryOfAnotherContainer() throws IOException {
    Path directory = directory(new ProcessIdentity(self.namespace() + 1, 7, 7, 7));
    stale.sweep();

    assertTrue(Files.exists(directory));
  }

  @Test
  void keepsForeignFiles() throws IOException {
    Path stranger = Files.createDirectory(user.path().resolve("p-stranger"));
    stale.sweep();

    assertTrue(Files.exists(stranger));
  }

  @Test
  void fabricsOfOneProcessHaveSeparateDirectories() throws IOException {
    try (ProcessDirectory first = ProcessDirectory.create(user, self);
        ProcessDirectory second = ProcessDirectory.create(user, self)) {
      assertEquals(1, first.identity().fabric());
      assertEquals(2, second.identity().fabric());
    }
  }

  private Path directory(ProcessIdentity identity) throws IOException {
    return Files.createDirectory(user.path().resolve(identity.directoryName()));
  }

  private ProcessIdentity livingParent() throws IOException {
    long parent = ProcessHandle.current().parent().orElseThrow().pid();
    String stat = Files.readString(Path.of("/proc/" + parent + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return new ProcessIdentity(self.namespace(), parent, Long.parseLong(fields[19]), 1);
  }
}
