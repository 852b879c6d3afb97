package io.railflux.buffer;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** Creates and validates files of shared memory. */
final class MappedFile {

  private static final Set<PosixFilePermission> PRIVATE = Set.of(OWNER_READ, OWNER_WRITE);
  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final Set<OpenOption> OPEN =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private static final int ZEROS_BYTES = 64 * 1024;

  // Allocated once by the first file, so that later files need no direct memory.
  private static ByteBuffer zeros;

  private MappedFile() {}

  static MappedMemory create(Path file, int lengthBytes) throws IOException {
    if (lengthBytes < 1) {
      throw new IllegalArgumentException(
          "shared memory " + file + " needs a positive length, not " + lengthBytes);
    }
    FileAttribute<?> mode = PosixFilePermissions.asFileAttribute(PRIVATE);
    try (FileChannel channel = FileChannel.open(file, CREATE, mode)) {
      try {
        writeZeros(channel, lengthBytes);
        return MappedMemory.map(file, channel, lengthBytes);
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        // Direct memory may be exhausted, which must not leave the file behind.
        throw abandoned(file, lengthBytes, e);
      }
    }
  }

  static MappedMemory open(Path file, int lengthBytes) throws IOException {
    Object checked = check(file, lengthBytes);
    try (FileChannel channel = FileChannel.open(file, OPEN)) {
      if (!check(file, lengthBytes).equals(checked) || channel.size() != lengthBytes) {
        throw refused(file, "it was replaced while it was opened");
      }
      return MappedMemory.map(file, channel, lengthBytes);
    }
  }

  /** Pages of a sparse file could fail to materialise later, as SIGBUS; written pages cannot. */
  private static void writeZeros(FileChannel channel, int lengthBytes) throws IOException {
    ByteBuffer piece = zeros();
    for (long position = 0; position < lengthBytes; ) {
      piece.clear().limit((int) Math.min(piece.capacity(), lengthBytes - position));
      position += channel.write(piece, position);
    }
  }

  static synchronized ByteBuffer zeros() {
    if (zeros == null) {
      zeros = ByteBuffer.allocateDirect(ZEROS_BYTES).asReadOnlyBuffer();
    }
    return zeros.duplicate();
  }

  private static Object check(Path file, int lengthBytes) throws IOException {
    Map<String, Object> attributes = Files.readAttributes(
        file, "unix:isRegularFile,uid,permissions,size,fileKey", LinkOption.NOFOLLOW_LINKS);
    if (!Boolean.TRUE.equals(attributes.get("isRegularFile"))) {
      throw refused(file, "it is not a regular file");
    }
    if (!attributes.get("uid").equals(CurrentUser.id())) {
      throw refused(file, "it belongs to uid " + attributes.get("uid"));
    }
    if (!attributes.get("permissions").equals(PRIVATE)) {
      throw refused(file, "its mode is not 0600: " + attributes.get("permissions"));
    }
    if (!attributes.get("size").equals((long) lengthBytes)) {
      throw refused(
          file, "it has " + attributes.get("size") + " bytes, expected are " + lengthBytes);
    }
    return attributes.get("fileKey");
  }

  private static IOException abandoned(Path file, int lengthBytes, Throwable cause) {
    IOException failure = new IOException(
        "cannot allocate " + lengthBytes + " bytes of shared memory at " + file + ": "
            + cause.getMessage(),
        cause);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private static IOException refused(Path file, String reason) {
    return new IOException("shared memory " + file + " is refused: " + reason);
  }
}
