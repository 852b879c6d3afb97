package io.railflux.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/** A file mapped read-write that can be unmapped explicitly. Java 22 and later use another variant. */
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

  /** Must be called once; later access to the memory crashes the process. */
  void close() {
    Unmapping.unmap(memory);
  }
}
