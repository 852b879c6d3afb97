package io.railflux.fabric.sim.memory;

import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Fabric;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Memory of one endpoint that its peer may access. */
public final class SimRegion extends SimBuffer implements ExposedRegion {

  static final int ALIGNMENT = 64;
  private static final byte POISON = (byte) 0xDB;

  private final Holder holder;
  private final boolean ofCaller;
  private final Access access;
  private final long key;
  private final ByteBuffer memory;

  /**
   * The endpoint of a region.
   *
   * @param mapped whether peers map regions
   * @param onClose receives each closed region
   */
  public record Holder(
      Fabric fabric, long endpointId, boolean mapped, Consumer<SimRegion> onClose) {}

  private SimRegion(Holder holder, ByteBuffer memory, boolean ofCaller, Access access, long key) {
    super(holder.fabric(), memory);
    this.holder = holder;
    this.ofCaller = ofCaller;
    this.access = access;
    this.key = key;
    this.memory = raw().duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Allocates memory of the simulated host. */
  public static SimRegion fresh(Holder holder, int lengthBytes, Access access, long key) {
    return new SimRegion(holder, allocate(lengthBytes), false, access, key);
  }

  public static SimRegion ofCaller(Holder holder, ByteBuffer memory, Access access, long key) {
    return new SimRegion(holder, memory, true, access, key);
  }

  /** Returns the size in memory of the host. */
  public int reservedBytes() {
    return ofCaller ? 0 : lengthBytes();
  }

  public static int rounded(int lengthBytes) {
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
      throw new IllegalStateException("region of endpoint " + holder.endpointId() + " is closed");
    }
    return memory;
  }

  @Override
  public void close() {
    if (isOpen()) {
      markClosed();
      holder.onClose().accept(this);
      if (!holder.mapped() && !ofCaller) {
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

  public boolean readable(int offset, int length) {
    return access.allowsRead() && covers(offset, length);
  }

  public boolean writable(int offset, int length) {
    return access.allowsWrite() && covers(offset, length);
  }

  public boolean atomic(int offset) {
    return readable(offset, Long.BYTES) && writable(offset, 0) && offset % Long.BYTES == 0;
  }
}
