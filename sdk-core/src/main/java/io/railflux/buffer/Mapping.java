package io.railflux.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A file mapped read-write that can be unmapped at will. Another variant serves Java 22 and later.
 */
final class Mapping {

  private final MappedByteBuffer memory;

  private Mapping(MappedByteBuffer memory) {
    this.memory = memory;
  }

  static Mapping create(FileChannel channel, int lengthBytes) throws IOException {
    return new Mapping(channel.map(MapMode.READ_WRITE, 0, lengthBytes));
  }

  ByteBuffer memory() {
    return memory;
  }

  /** Once only; touching the memory afterwards crashes the process. */
  void close() {
    Unmapping.unmap(memory);
  }
}
