package io.railflux.fabric.verbs.memory;

import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.NativeFailure;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Memory for local requests. It is registered with each endpoint on first use, because every endpoint has a
 * protection domain of its own.
 */
public abstract sealed class VerbsBuffer implements LocalMemory permits VerbsMemory, VerbsRegion {

  private final ByteBuffer memory;
  private final ByteBuffer whole;
  private final long address;
  private final int lengthBytes;
  private Registration[] bySlot = new Registration[4];
  private boolean open = true;

  VerbsBuffer(ByteBuffer memory) {
    this.memory = memory;
    this.whole = memory.duplicate().clear();
    this.address = MemorySegment.ofBuffer(whole).address();
    this.lengthBytes = memory.capacity();
  }

  /** Returns the key of this memory in {@code domain}. Allocates only on first use. */
  public final int lkey(ProtectionDomain domain) throws NativeFailure {
    int slot = domain.slot();
    if (slot < bySlot.length && bySlot[slot] != null && bySlot[slot].domain() == domain) {
      return bySlot[slot].lkey();
    }
    return register(domain, slot).lkey();
  }

  private Registration register(ProtectionDomain domain, int slot) throws NativeFailure {
    if (slot >= bySlot.length) {
      bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, 2 * bySlot.length));
    }
    // A read into this memory writes locally.
    bySlot[slot] = domain.register(address, lengthBytes, address, IbvMr.LOCAL_WRITE);
    return bySlot[slot];
  }

  public final long address() {
    return address;
  }

  final boolean isOpen() {
    return open;
  }

  public final boolean covers(int offset, int length) {
    return open && offset >= 0 && length >= 0 && (long) offset + length <= lengthBytes;
  }

  /** Returns the buffer of the holder, which moves its position and limit. */
  final ByteBuffer holders() {
    return memory;
  }

  /** Returns the whole memory for absolute access. */
  public final ByteBuffer whole() {
    return whole;
  }

  @Override
  public final int lengthBytes() {
    return lengthBytes;
  }

  /** Ends the local registrations; true on the first call. */
  final boolean deregister() {
    if (!open) {
      return false;
    }
    open = false;
    for (Registration registration : bySlot) {
      if (registration != null) {
        registration.close();
      }
    }
    return true;
  }
}
