package io.railflux.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A loan of direct memory from a {@link BufferPool}. Its holder releases it exactly once, on any
 * thread, and may hand it over to another holder who does.
 */
public final class PooledBuffer {

  private static final VarHandle RELEASED;

  static {
    try {
      RELEASED =
          MethodHandles.lookup().findVarHandle(PooledBuffer.class, "released", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BufferPool pool;
  private final Slab slab;
  private volatile boolean released;

  PooledBuffer(BufferPool pool, Slab slab) {
    this.pool = pool;
    this.slab = slab;
  }

  /**
   * The memory: little-endian, at first from 0 to the length asked for, with the bytes of earlier
   * loans in it. Every call returns the same buffer, whose position and limit are the holder's to
   * move. It must not be touched after {@link #release()}.
   *
   * @throws IllegalStateException after the release
   */
  public ByteBuffer memory() {
    if (released) {
      throw new IllegalStateException(
          "buffer of pool '" + pool.name() + "' is used after its release");
    }
    return slab.memory();
  }

  /**
   * Returns the memory to the pool. Any thread.
   *
   * @throws IllegalStateException when already released; the pool is not harmed by it
   */
  public void release() {
    if (!RELEASED.compareAndSet(this, false, true)) {
      throw new IllegalStateException(
          "buffer of pool '" + pool.name() + "' is released twice; only its last holder may");
    }
    try {
      pool.giveBack(slab);
    } finally {
      // Until here this loan must not look abandoned to the leak watch.
      Reference.reachabilityFence(this);
    }
  }
}
