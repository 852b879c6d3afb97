package io.railflux.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A loan of direct memory from a {@link BufferPool}. Its holder releases it exactly once, on any thread, or passes it
 * to another holder.
 */
public final class PooledBuffer {

  private static final VarHandle SLAB;

  static {
    try {
      SLAB = MethodHandles.lookup().findVarHandle(PooledBuffer.class, "slab", Slab.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BufferPool pool;

  /** Null after the release, so that a kept loan does not keep the memory. */
  private volatile Slab slab;

  PooledBuffer(BufferPool pool, Slab slab) {
    this.pool = pool;
    this.slab = slab;
  }

  BufferPool pool() {
    return pool;
  }

  /** Returns the size of the loan in bytes. */
  int chargeTo(LoanAccount account) {
    slab.account = account;
    return slab.bytes();
  }

  /**
   * Returns the memory: little-endian, initially from 0 to the requested length, with bytes of earlier loans. Every
   * call returns the same buffer; the holder may move its position and limit. It must not be used after {@link
   * #release()}.
   *
   * @throws IllegalStateException after the release
   */
  public ByteBuffer memory() {
    Slab lent = slab;
    if (lent == null) {
      throw new IllegalStateException(
          "buffer of pool '" + pool.name() + "' is used after its release");
    }
    return lent.memory();
  }

  /**
   * Returns the memory to the pool. Any thread.
   *
   * @throws IllegalStateException if already released, without harm to the pool
   */
  public void release() {
    Slab lent = (Slab) SLAB.getAndSet(this, null);
    if (lent == null) {
      throw new IllegalStateException(
          "buffer of pool '" + pool.name() + "' is released twice; only its last holder may");
    }
    try {
      pool.giveBack(lent);
    } finally {
      // Keeps this loan reachable for the leak watch until here.
      Reference.reachabilityFence(this);
    }
  }
}
