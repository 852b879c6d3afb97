package io.railflux.buffer;

import java.lang.ref.PhantomReference;

/** Watches one {@link PooledBuffer}, and reclaims its memory when it is dropped. */
final class Loan extends PhantomReference<PooledBuffer> {

  private final BufferPool pool;
  private final Slab slab;
  private final Throwable acquiredAt;

  Loan(PooledBuffer buffer, BufferPool pool, Slab slab, Throwable acquiredAt) {
    super(buffer, LeakWatch.dropped());
    this.pool = pool;
    this.slab = slab;
    this.acquiredAt = acquiredAt;
  }

  /** The buffer was dropped. Runs on the watching thread. */
  void reclaim() {
    pool.reclaim(slab, acquiredAt);
  }
}
