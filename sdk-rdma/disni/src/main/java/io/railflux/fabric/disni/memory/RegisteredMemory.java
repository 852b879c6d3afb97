package io.railflux.fabric.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import io.railflux.fabric.LocalMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of this side. It is registered on first use by an endpoint, which determines device and protection domain,
 * until it is closed. Engine thread only.
 */
public class RegisteredMemory implements LocalMemory {

  private final ByteBuffer memory;
  private final List<MemoryRegion> regions = new ArrayList<>(1);
  private boolean open = true;

  public RegisteredMemory(ByteBuffer memory) {
    if (!memory.isDirect()) {
      throw new IllegalArgumentException("only direct buffers can be registered");
    }
    this.memory = memory;
  }

  /** Returns the registration for the domain, created on first use. */
  public final MemoryRegion in(DisniProtectionDomain domain) throws IOException {
    for (int i = 0; i < regions.size(); i++) {
      MemoryRegion region = regions.get(i);
      if (region.domain() == domain) {
        return region;
      }
    }
    regions.removeIf(region -> !region.isOpen());
    return add(domain.register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE));
  }

  final MemoryRegion add(MemoryRegion region) {
    regions.add(region);
    return region;
  }

  public final boolean isOpen() {
    return open;
  }

  /** Whether a request may use the range. */
  public final boolean covers(int offset, int length) {
    return open && offset >= 0 && length >= 0 && offset <= memory.capacity() - length;
  }

  @Override
  public ByteBuffer memory() {
    return memory;
  }

  @Override
  public final int lengthBytes() {
    return memory.capacity();
  }

  @Override
  public void close() {
    open = false;
    regions.forEach(MemoryRegion::close);
    regions.clear();
  }

  /** Allocates zeroed memory of exactly that size, aligned to a power of two. */
  public static ByteBuffer allocate(int bytes, int alignment) {
    ByteBuffer whole = ByteBuffer.allocateDirect(Math.addExact(bytes, alignment));
    int begin = -whole.alignmentOffset(0, alignment) & (alignment - 1);
    return whole.slice(begin, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
