package io.railflux.fabric;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One side of a test: its fabric, its endpoint, registered memory, and recorded callbacks. */
final class Party {

  static final int MEMORY_BYTES = 128 * 1024;

  final Fabric fabric;
  final RecordingListener callbacks = new RecordingListener();
  final LocalMemory memory;
  Endpoint endpoint;

  /** Reused for all posts, as in an engine. */
  private final WorkRequest request = new WorkRequest();

  Party(Fabric fabric) {
    this.fabric = fabric;
    this.memory =
        fabric.register(ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Fills memory with bytes that depend on position and {@code seed} and are never zero. */
  void fill(int offset, int length, int seed) {
    for (int i = 0; i < length; i++) {
      memory.memory().put(offset + i, pattern(seed, i));
    }
  }

  static byte pattern(int seed, int index) {
    return (byte) (1 + Math.floorMod(seed * 31 + index * 7, 251));
  }

  static byte[] patterned(int seed, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = pattern(seed, i);
    }
    return bytes;
  }

  byte[] bytes(int offset, int length) {
    return bytes(memory.memory(), offset, length);
  }

  static byte[] bytes(ByteBuffer from, int offset, int length) {
    byte[] bytes = new byte[length];
    from.duplicate().clear().get(offset, bytes);
    return bytes;
  }

  PostResult send(long id, int offset, int length) {
    return endpoint.post(request.send(memory, offset, length).withId(id));
  }

  PostResult sendSilently(int offset, int length) {
    return endpoint.post(request.send(memory, offset, length));
  }

  PostResult receive(long id, int offset, int length) {
    return endpoint.postReceive(id, memory, offset, length);
  }

  PostResult write(long id, int offset, int length, RemoteRegion to, int toOffset) {
    return endpoint.post(request.write(memory, offset, length, to, toOffset).withId(id));
  }

  PostResult read(long id, int offset, int length, RemoteRegion from, int fromOffset) {
    return endpoint.post(request.read(memory, offset, length, from, fromOffset).withId(id));
  }

  PostResult post(WorkRequest prepared) {
    return endpoint.post(prepared);
  }
}
