package io.railflux.buffer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A file mapped read-write that can be unmapped at will: Java 22 and later need no Unsafe for it.
 */
final class Mapping {

  private final Arena arena;
  private final ByteBuffer memory;

  private Mapping(Arena arena, ByteBuffer memory) {
    this.arena = arena;
    this.memory = memory;
  }

  static Mapping create(FileChannel channel, int lengthBytes) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      return new Mapping(
          arena, channel.map(MapMode.READ_WRITE, 0, lengthBytes, arena).asByteBuffer());
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  ByteBuffer memory() {
    return memory;
  }

  /** Once only; touching the memory afterwards is an IllegalStateException. */
  void close() {
    arena.close();
  }
}
