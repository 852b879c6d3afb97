package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvMr;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Registered memory at an address that the fake assigns. Both keys are equal. */
final class FakeMr extends IbvMr {

  private final FakePd pd;
  private final ByteBuffer memory;

  FakeMr(FakePd pd, ByteBuffer memory, long address, int access, int key) throws IOException {
    super(pd.getContext(), address, memory.capacity(), access, key, key, key);
    this.pd = pd;
    this.memory = memory;
  }

  FakePd pd() {
    return pd;
  }

  boolean allows(long at, int bytes, int rights) {
    boolean inside = at >= addr && at + bytes <= addr + length;
    return isOpen() && inside && (access & rights) == rights;
  }

  byte[] read(long at, int bytes) {
    byte[] copy = new byte[bytes];
    memory.get((int) (at - addr), copy);
    return copy;
  }

  void write(long at, byte[] bytes) {
    memory.put((int) (at - addr), bytes);
  }
}
