package io.railflux.engine;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.PooledBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory for the large messages of all peers of a node, within a byte budget (D6): first come, first
 * served; one message beyond the budget may proceed alone. Engine thread only; what it lent is released
 * on any thread.
 */
final class LargeMemory {

  /** Who waits for memory. */
  interface Claimant {

    /** It may be its turn: ask again, now or soon. */
    void roomAgain();

    /** Whether it would; while it would not, those behind it go first, and it keeps its place. */
    default boolean wouldAsk() {
      return true;
    }
  }

  /** More is not allocated on the engine's thread: to clear it would hold up everything else. */
  private static final int CLEARED_ASIDE_BYTES = 8 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(LargeMemory.class);

  private final BufferPool pool;
  private final long budgetBytes;
  private final Engine engine;
  private final AtomicLong reservedBytes = new AtomicLong();
  private final ArrayDeque<Claimant> waiting = new ArrayDeque<>();
  private final AtomicBoolean wakeQueued = new AtomicBoolean();
  private volatile boolean awaited;
  private boolean preparing;
  private int preparedBytes;
  private boolean closed;

  /** @param largestBytes the largest message there may be, beyond the budget or not */
  LargeMemory(String name, long budgetBytes, int largestBytes, Engine engine) {
    this.budgetBytes = budgetBytes;
    this.engine = engine;
    long most = Math.max(budgetBytes, Math.max(64, largestBytes));
    this.pool = new BufferPool(name, most, LeakDetection.SAMPLED);
    pool.onRelease(this::released);
  }

  /** Any thread. */
  private void released() {
    boolean tooMuch = pool.retainedBytes() + pool.outstandingBytes() > lendableBytes();
    if ((awaited || tooMuch) && wakeQueued.compareAndSet(false, true)) {
      engine.execute(this::serve);
    }
  }

  /**
   * Lends memory, or has {@code claimant} wait for its turn.
   *
   * @return null: {@link Claimant#roomAgain} tells when to ask again
   * @throws IllegalStateException when the JVM has no memory, whatever the budget says
   */
  PooledBuffer take(Claimant claimant, int bytes) {
    Claimant first = first();
    if (first != null && first != claimant) {
      await(claimant);
      return null;
    }
    // Said before looking: what is released from now on wakes.
    awaited = true;
    PooledBuffer taken = fits(bytes) && !isPreparing(bytes) ? pool.tryAcquire(bytes) : null;
    if (taken == null) {
      await(claimant);
    } else {
      waiting.remove(claimant);
    }
    awaited = !waiting.isEmpty();
    return taken;
  }

  private Claimant first() {
    for (Claimant claimant : waiting) {
      if (claimant.wouldAsk()) {
        return claimant;
      }
    }
    return null;
  }

  private boolean fits(int bytes) {
    long takes = Math.max(64, Long.highestOneBit(Math.max(1, 2L * bytes - 1)));
    return pool.outstanding() == 0 || pool.outstandingBytes() + takes <= lendableBytes();
  }

  /** Whether memory is being allocated; begins that for a large message. */
  private boolean isPreparing(int bytes) {
    boolean tried = preparedBytes == bytes;
    preparedBytes = 0;
    if (!preparing && !tried && bytes > CLEARED_ASIDE_BYTES && pool.mustAllocate(bytes)) {
      preparing = begin(bytes);
    }
    return preparing;
  }

  private boolean begin(int bytes) {
    try {
      engine.aside(() -> pool.prepare(bytes), () -> prepared(bytes));
      return true;
    } catch (RuntimeException | Error e) {
      LOG.warn("no thread to clear memory with, so the engine's thread does it: {}", e.toString());
      return false;
    }
  }

  private void prepared(int bytes) {
    preparing = false;
    preparedBytes = bytes;
    serve();
  }

  private void await(Claimant claimant) {
    if (!waiting.contains(claimant)) {
      waiting.add(claimant);
    }
  }

  /** Waits no more. */
  void forget(Claimant claimant) {
    boolean wasFirst = first() == claimant;
    waiting.remove(claimant);
    preparedBytes = wasFirst ? 0 : preparedBytes;
    awaited = !waiting.isEmpty();
    if (wasFirst) {
      serve();
    }
  }

  /** Those that wait ask again, in turn, until one has to go on waiting. */
  void serve() {
    wakeQueued.set(false);
    if (closed) {
      return;
    }
    Claimant first = first();
    while (first != null) {
      first.roomAgain();
      Claimant next = first();
      first = next == first ? null : next;
    }
    if (!preparing && preparedBytes == 0) {
      pool.trim(lendableBytes());
    }
  }

  /**
   * So much of the budget is used for something else from now on; less than nothing: no more. What is lent already
   * stays lent.
   */
  void reserve(long bytes) {
    reservedBytes.addAndGet(bytes);
    if (bytes < 0) {
      released();
    }
  }

  /** What may be lent at a time, but for one message beyond it. Any thread. */
  long lendableBytes() {
    return Math.max(0, budgetBytes - reservedBytes.get());
  }

  /** Bytes lent. Any thread. */
  long outstandingBytes() {
    return pool.outstandingBytes();
  }

  /** Bytes kept for those who come next. Any thread. */
  long retainedBytes() {
    return pool.retainedBytes();
  }

  void close() {
    closed = true;
    waiting.clear();
    pool.close();
  }
}
