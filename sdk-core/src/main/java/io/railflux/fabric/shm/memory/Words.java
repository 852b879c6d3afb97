package io.railflux.fabric.shm.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Typed access to shared memory with a memory order.
 *
 * <p>All modes but plain need an offset that is aligned to the size of the word. Mappings begin on a page, so an
 * aligned offset is an aligned address.
 */
public final class Words {

  public static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  public static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}
}
