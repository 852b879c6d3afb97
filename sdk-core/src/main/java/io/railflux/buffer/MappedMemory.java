package io.railflux.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file mapped for sharing with another process of the same user. Owned by whoever created or
 * opened it; not thread-safe except for access to the memory itself.
 */
public final class MappedMemory implements AutoCloseable {

  private final Path path;
  private final Mapping mapping;
  private final ByteBuffer memory;
  private boolean unlinked;
  private boolean closed;

  private MappedMemory(Path path, Mapping mapping) {
    this.path = path;
    this.mapping = mapping;
    this.memory = mapping.memory().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Creates a file that only this user may open, allocates all of it and maps it, filled with
   * zeros.
   *
   * @param file must not exist
   * @param lengthBytes length of the file in bytes, at least 1
   * @throws IOException when the file exists or the file system is full or refuses; nothing is left
   *     behind then
   */
  public static MappedMemory create(Path file, int lengthBytes) throws IOException {
    return MappedFile.create(file, lengthBytes);
  }

  /**
   * Maps a file another process created with {@link #create}.
   *
   * @param lengthBytes the length the file must have
   * @throws IOException when it is missing, a link, of another user, open to others or of another
   *     length; the message says which
   */
  public static MappedMemory open(Path file, int lengthBytes) throws IOException {
    return MappedFile.open(file, lengthBytes);
  }

  /**
   * The whole memory, little-endian; always the same buffer.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  public ByteBuffer memory() {
    if (closed) {
      throw new IllegalStateException("shared memory " + path + " is closed");
    }
    return memory;
  }

  /** Where the file is, or was before {@link #unlink()}. */
  public Path path() {
    return path;
  }

  /**
   * Removes the name; the memory lives on until all processes closed it. Idempotent, also when the
   * other side was first.
   *
   * @throws IOException when the directory refuses
   */
  public void unlink() throws IOException {
    if (!unlinked) {
      Files.deleteIfExists(path);
      unlinked = true;
    }
  }

  /**
   * Unmaps at once; the name stays unless unlinked. Idempotent. No thread may touch the memory or
   * any view of it from now on: on Java 17, or where {@code Unsafe} is allowed, that crashes the process.
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      mapping.close();
    }
  }

  static MappedMemory map(Path file, FileChannel channel, int lengthBytes) throws IOException {
    return new MappedMemory(file, Mapping.create(channel, lengthBytes));
  }
}
