package io.railflux.buffer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A file mapped read-write that can be unmapped explicitly, on Java 22 and later without {@code Unsafe}. If the JVM was
 * started with {@code --sun-misc-unsafe-memory-access=allow}, {@code Unsafe} is used as before Java 22, because accesses
 * then need no check of an arena.
 */
final class Mapping {

  private static final boolean UNSAFE =
      "allow".equals(System.getProperty("sun.misc.unsafe.memory.access")) && Unmapping.isPossible();

  private final ByteBuffer memory;
  private final Runnable unmap;

  private Mapping(ByteBuffer memory, Runnable unmap) {
    this.memory = memory;
    this.unmap = unmap;
  }

  static Mapping create(FileChannel channel, int lengthBytes) throws IOException {
    if (UNSAFE) {
      ByteBuffer memory = channel.map(MapMode.READ_WRITE, 0, lengthBytes);
      return new Mapping(memory, () -> Unmapping.unmap(memory));
    }
    Arena arena = Arena.ofShared();
    try {
      ByteBuffer memory =
          channel.map(MapMode.READ_WRITE, 0, lengthBytes, arena).asByteBuffer();
      return new Mapping(memory, arena::close);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  ByteBuffer memory() {
    return memory;
  }

  /**
   * Once only; touching the memory afterwards is an IllegalStateException, or a crash of the process where Unsafe
   * is allowed.
   */
  void close() {
    unmap.run();
  }
}
