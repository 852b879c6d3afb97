package io.railflux.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The cached slabs of one size class: any thread pushes, one thread pops. The popping thread takes all pushed slabs
 * at once, which avoids the ABA problem.
 */
final class FreeList {

  private static final VarHandle PUSHED;

  static {
    try {
      PUSHED = MethodHandles.lookup().findVarHandle(FreeList.class, "pushed", Slab.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile Slab pushed;

  private Slab taken;

  /** Any thread. */
  void push(Slab slab) {
    Slab head;
    do {
      head = pushed;
      slab.next = head;
    } while (!PUSHED.compareAndSet(this, head, slab));
  }

  /** Returns a cached slab or null. Engine thread. */
  Slab pop() {
    Slab slab = taken;
    if (slab == null) {
      slab = takePushed();
    }
    if (slab == null) {
      return null;
    }
    taken = slab.next;
    slab.next = null;
    return slab;
  }

  /** Whether {@link #pop} has a slab. Engine thread. */
  boolean hasNext() {
    return taken != null || pushed != null;
  }

  /** Returns all slabs pushed since the last call, linked by {@code next}, or null. Any thread. */
  Slab takePushed() {
    return pushed == null ? null : (Slab) PUSHED.getAndSet(this, null);
  }
}
