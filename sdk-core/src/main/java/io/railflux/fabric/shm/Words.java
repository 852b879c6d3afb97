package io.railflux.fabric.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Typed access to shared memory with a memory order.
 *
 * <p>All modes but plain need an offset aligned to the size of the word; mappings begin on a page,
 * so an aligned offset is an aligned address.
 */
final class Words {

  static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}
}
