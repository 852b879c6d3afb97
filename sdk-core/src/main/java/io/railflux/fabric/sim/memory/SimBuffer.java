package io.railflux.fabric.sim.memory;

import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory that a fabric accesses for local requests. */
public abstract sealed class SimBuffer implements LocalMemory permits SimMemory, SimRegion {

  private final Fabric fabric;
  private final ByteBuffer raw;
  private boolean open = true;

  /** Uses a separate view, because the holder moves position and limit of its buffer. */
  SimBuffer(Fabric fabric, ByteBuffer memory) {
    this.fabric = fabric;
    this.raw = memory.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public final int lengthBytes() {
    return raw.capacity();
  }

  /** A registration is valid only in the fabric that created it. */
  public final boolean belongsTo(Fabric other) {
    return fabric == other;
  }

  public final ByteBuffer raw() {
    return raw;
  }

  public final boolean isOpen() {
    return open;
  }

  public final void markClosed() {
    open = false;
  }

  public final boolean covers(int offset, int length) {
    return open && offset >= 0 && length >= 0 && (long) offset + length <= raw.capacity();
  }

  public final byte[] read(int offset, int length) {
    byte[] bytes = new byte[length];
    raw.get(offset, bytes);
    return bytes;
  }

  public final void write(int offset, byte[] bytes, int from, int length) {
    raw.put(offset, bytes, from, length);
  }
}
