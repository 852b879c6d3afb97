package io.railflux.fabric.sim;

import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory of one endpoint that its peer may access. */
final class SimRegion extends SimBuffer implements ExposedRegion {

  static final int ALIGNMENT = 64;
  private static final byte POISON = (byte) 0xDB;

  private final SimEndpoint endpoint;
  private final boolean ofCaller;
  private final Access access;
  private final long key;
  private final ByteBuffer memory;

  private SimRegion(
      SimEndpoint endpoint, ByteBuffer memory, boolean ofCaller, Access access, long key) {
    super(endpoint.fabric(), memory);
    this.endpoint = endpoint;
    this.ofCaller = ofCaller;
    this.access = access;
    this.key = key;
    this.memory = raw().duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Allocates memory of the simulated host. */
  static SimRegion fresh(SimEndpoint endpoint, int lengthBytes, Access access, long key) {
    return new SimRegion(endpoint, allocate(lengthBytes), false, access, key);
  }

  static SimRegion ofCaller(SimEndpoint endpoint, ByteBuffer memory, Access access, long key) {
    return new SimRegion(endpoint, memory, true, access, key);
  }

  /** Returns the size in memory of the host. */
  int reservedBytes() {
    return ofCaller ? 0 : lengthBytes();
  }

  static int rounded(int lengthBytes) {
    return Math.max(ALIGNMENT, Math.addExact(lengthBytes, ALIGNMENT - 1) & -ALIGNMENT);
  }

  /** Direct and aligned, so that atomics by var handles work as on real memory. */
  private static ByteBuffer allocate(int lengthBytes) {
    return ByteBuffer.allocateDirect(rounded(lengthBytes) + ALIGNMENT)
        .alignedSlice(ALIGNMENT)
        .slice(0, rounded(lengthBytes));
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public ByteBuffer memory() {
    if (!isOpen()) {
      throw new IllegalStateException("region of endpoint " + endpoint.id() + " is closed");
    }
    return memory;
  }

  @Override
  public void close() {
    if (isOpen()) {
      markClosed();
      endpoint.revoked(this);
      if (!fabric().mapped() && !ofCaller) {
        poison();
      }
    }
  }

  /** Late readers see garbage. Mapped memory exists as long as the mapping of the peer. */
  private void poison() {
    for (int i = 0; i < lengthBytes(); i++) {
      raw().put(i, POISON);
    }
  }

  boolean readable(int offset, int length) {
    return access.allowsRead() && covers(offset, length);
  }

  boolean writable(int offset, int length) {
    return access.allowsWrite() && covers(offset, length);
  }

  boolean atomic(int offset) {
    return readable(offset, Long.BYTES) && writable(offset, 0) && offset % Long.BYTES == 0;
  }
}
