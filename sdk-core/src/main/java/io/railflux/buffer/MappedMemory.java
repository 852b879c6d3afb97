package io.railflux.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file mapped for sharing with another process of the same user. The creator or opener owns it. Not thread-safe,
 * except for access to the memory.
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
   * Allocates the direct memory that {@link #create} needs, once per process.
   *
   * @throws OutOfMemoryError if there is none
   */
  public static void prepare() {
    MappedFile.zeros();
  }

  /**
   * Creates a file that only this user may open, allocates it in full and maps it, filled with zeros.
   *
   * @param file must not exist
   * @param lengthBytes length of the file in bytes, at least 1
   * @throws IOException if the file exists, or the file system is full or refuses; no file remains
   */
  public static MappedMemory create(Path file, int lengthBytes) throws IOException {
    return MappedFile.create(file, lengthBytes);
  }

  /**
   * Maps a file that another process created with {@link #create}.
   *
   * @param lengthBytes required length of the file
   * @throws IOException if the file is missing, a link, of another user, open to other users or of another length;
   *     the message states which
   */
  public static MappedMemory open(Path file, int lengthBytes) throws IOException {
    return MappedFile.open(file, lengthBytes);
  }

  /**
   * Returns the whole memory, little-endian; always the same buffer.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  public ByteBuffer memory() {
    if (closed) {
      throw new IllegalStateException("shared memory " + path + " is closed");
    }
    return memory;
  }

  /** Returns the path of the file, also after {@link #unlink()}. */
  public Path path() {
    return path;
  }

  /**
   * Removes the name; the memory exists until all processes close it. Idempotent, also if the other side was first.
   *
   * @throws IOException if the directory refuses
   */
  public void unlink() throws IOException {
    if (!unlinked) {
      Files.deleteIfExists(path);
      unlinked = true;
    }
  }

  /**
   * Unmaps the memory at once; the name remains unless unlinked. Idempotent. No thread may use the memory or any view
   * of it afterwards: on Java 17, or where {@code Unsafe} is permitted, that crashes the process.
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
