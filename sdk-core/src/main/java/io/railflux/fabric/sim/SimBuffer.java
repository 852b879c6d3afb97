package io.railflux.fabric.sim;

import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory that a fabric accesses for local requests. */
abstract sealed class SimBuffer implements LocalMemory permits SimMemory, SimRegion {

  private final SimFabric fabric;
  private final ByteBuffer raw;
  private boolean open = true;

  /** Uses a separate view, because the holder moves position and limit of its buffer. */
  SimBuffer(SimFabric fabric, ByteBuffer memory) {
    this.fabric = fabric;
    this.raw = memory.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public final int lengthBytes() {
    return raw.capacity();
  }

  final SimFabric fabric() {
    return fabric;
  }

  final ByteBuffer raw() {
    return raw;
  }

  final boolean isOpen() {
    return open;
  }

  final void markClosed() {
    open = false;
  }

  final boolean covers(int offset, int length) {
    return open && offset >= 0 && length >= 0 && (long) offset + length <= raw.capacity();
  }

  final byte[] read(int offset, int length) {
    byte[] bytes = new byte[length];
    raw.get(offset, bytes);
    return bytes;
  }

  final void write(int offset, byte[] bytes, int from, int length) {
    raw.put(offset, bytes, from, length);
  }
}
