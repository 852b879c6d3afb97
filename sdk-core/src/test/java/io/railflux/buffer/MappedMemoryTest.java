package io.railflux.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class MappedMemoryTest {

  @TempDir
  Path directory;

  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("railflux-ring");
  }

  @Test
  void createdMemoryIsZeroAndPrivate() throws IOException {
    try (MappedMemory created = MappedMemory.create(file, 200_000)) {
      ByteBuffer memory = created.memory();
      assertEquals(200_000, memory.capacity());
      assertEquals(ByteOrder.LITTLE_ENDIAN, memory.order());
      assertEquals(ByteBuffer.allocate(200_000), memory);
      assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      assertEquals(200_000, Files.size(file));
      assertEquals(file, created.path());
      assertSame(memory, created.memory());
    }
  }

  @Test
  void allPagesAreAllocatedAtOnce() throws IOException, InterruptedException {
    try (MappedMemory created = MappedMemory.create(file, 1 << 20)) {
      Process du = new ProcessBuilder("du", "-k", created.path().toString()).start();
      String output = new String(du.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, du.waitFor());
      assertTrue(Integer.parseInt(output.split("\\s", 2)[0]) >= 1024, output);
    }
  }

  @Test
  void bothSidesShareMemory() throws IOException {
    try (MappedMemory here = MappedMemory.create(file, 4096);
        MappedMemory there = MappedMemory.open(file, 4096)) {
      here.memory().putLong(64, 42);
      assertEquals(42, there.memory().getLong(64));
      there.memory().putLong(64, 43);
      assertEquals(43, here.memory().getLong(64));
    }
  }

  @Test
  void existingFileIsNeitherReusedNorModified() throws IOException {
    Files.writeString(file, "precious");
    assertThrows(FileAlreadyExistsException.class, () -> MappedMemory.create(file, 4096));
    assertEquals("precious", Files.readString(file));
    assertThrows(
        IllegalArgumentException.class, () -> MappedMemory.create(directory.resolve("empty"), 0));
    assertFalse(Files.exists(directory.resolve("empty")));
  }

  @Test
  void closingRemovesTheMapping() throws IOException {
    MappedMemory created = MappedMemory.create(file, 4096);
    MappedMemory opened = MappedMemory.open(file, 4096);
    assertEquals(2, Maps.of(file));
    opened.close();
    assertEquals(1, Maps.of(file));
    created.close();
    assertEquals(0, Maps.of(file));
    created.close();
  }

  @Test
  void rejectsAccessAfterClose() throws IOException {
    MappedMemory created = MappedMemory.create(file, 4096);
    created.close();
    Exception misuse = assertThrows(IllegalStateException.class, created::memory);
    assertEquals("shared memory " + file + " is closed", misuse.getMessage());
  }

  @Test
  void unlinkedMemoryLivesOnUntilClosed() throws IOException {
    try (MappedMemory here = MappedMemory.create(file, 4096);
        MappedMemory there = MappedMemory.open(file, 4096)) {
      here.unlink();
      assertFalse(Files.exists(file));
      here.memory().putInt(0, 7);
      assertEquals(7, there.memory().getInt(0));
      there.unlink();
    }
  }

  @Test
  void secondUnlinkKeepsANewFileWithTheSameName() throws IOException {
    try (MappedMemory created = MappedMemory.create(file, 4096)) {
      created.unlink();
      Files.writeString(file, "another life");
      created.unlink();
      assertTrue(Files.exists(file));
    }
  }

  @Test
  void unlinkWorksAfterClose() throws IOException {
    MappedMemory created = MappedMemory.create(file, 4096);
    created.close();
    created.unlink();
    assertFalse(Files.exists(file));
  }

  @Test
  void distinguishesAMissingFile() {
    assertThrows(NoSuchFileException.class, () -> MappedMemory.open(file, 4096));
  }

  @Test
  void rejectsOtherSizes() throws IOException {
    try (MappedMemory created = MappedMemory.create(file, 4096)) {
      assertRejected(created.path(), 8192, "it has 4096 bytes, expected are 8192");
      assertRejected(created.path(), 1024, "it has 4096 bytes, expected are 1024");
    }
  }

  @Test
  void rejectsFilesThatAreOpenToOtherUsers() throws IOException {
    try (MappedMemory created = MappedMemory.create(file, 4096)) {
      for (String mode : new String[] {"rw-r-----", "rw-----w-", "r--------"}) {
        Files.setPosixFilePermissions(created.path(), PosixFilePermissions.fromString(mode));
        assertRejected(file, 4096, "its mode is not 0600");
      }
    }
  }

  @Test
  void rejectsLinksAndDirectories() throws IOException {
    try (MappedMemory created = MappedMemory.create(file, 4096)) {
      Path link = Files.createSymbolicLink(directory.resolve("link"), created.path());
      assertRejected(link, 4096, "it is not a regular file");
      assertRejected(directory, 4096, "it is not a regular file");
    }
  }

  @Test
  void failedCreationLeavesNoFile() throws IOException {
    Path nowhere = directory.resolve("missing").resolve("ring");
    assertThrows(IOException.class, () -> MappedMemory.create(nowhere, 4096));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }

  private static void assertRejected(Path file, int lengthBytes, String reason) {
    Exception refusal = assertThrows(IOException.class, () -> MappedMemory.open(file, lengthBytes));
    assertTrue(
        refusal.getMessage().startsWith("shared memory " + file + " is refused: " + reason),
        refusal.getMessage());
  }
}
