package io.railflux.engine.base;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.PooledBuffer;
import io.railflux.wire.RequestBody;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory for the large messages of all peers of a node, within a byte budget (D6). Claimants are served in order of
 * arrival. One message beyond the budget may proceed alone. Engine thread only; lent memory is released on any
 * thread.
 */
public final class LargeMemory {

  /** Waits for memory. */
  public interface Claimant {

    /** Memory may be available: the claimant retries, now or soon. */
    void onMemoryAvailable();

    /** Whether the claimant would retry now. Otherwise later claimants go first, and this claimant keeps its place. */
    default boolean wouldRetry() {
      return true;
    }
  }

  /** Larger buffers are allocated on another thread, because clearing them would block the engine. */
  private static final int CLEARED_ASIDE_BYTES = 8 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(LargeMemory.class);

  /**
   * Bounds of the memory.
   *
   * @param option name of the configuration option, for messages to users
   * @param bytes sum of lent and kept memory
   * @param largestBytes size of the largest message, within the budget or not
   */
  public record Budget(String option, long bytes, int largestBytes) {

    public static Budget ofSends(EngineConfig config) {
      return new Budget("sendBudgetBytes", config.large().sendBudgetBytes(), largest(config));
    }

    public static Budget ofReceives(EngineConfig config) {
      return new Budget("receiveBudgetBytes", config.large().receiveBudgetBytes(), largest(config));
    }

    private static int largest(EngineConfig config) {
      return config.limits().maxMessageBytes() + RequestBody.ROUTE_ID_BYTES;
    }

    @Override
    public String toString() {
      return option + " (" + bytes + ")";
    }
  }

  private final Budget budget;
  private final BufferPool pool;
  private final EngineContext engine;
  private final Registrations registrations;
  private final AtomicLong reservedBytes = new AtomicLong();
  private final ArrayDeque<Claimant> waiting = new ArrayDeque<>();
  private final AtomicBoolean wakeQueued = new AtomicBoolean();
  private volatile boolean awaited;
  private Preparation preparation;
  private boolean closed;

  public LargeMemory(Budget budget, EngineContext engine) {
    this.budget = budget;
    this.engine = engine;
    this.registrations = engine.registrations();
    long most = Math.max(budget.bytes, Math.max(64, budget.largestBytes));
    this.pool =
        new BufferPool(budget.option + " of " + engine.nodeName(), most, LeakDetection.SAMPLED);
    pool.onRelease(this::released);
    pool.onDrop(this::dropped);
  }

  /** Runs on any thread; registrations belong to the engine thread. */
  private void dropped(ByteBuffer memory) {
    if (registrations.keepsAny()) {
      engine.execute(() -> registrations.forget(memory));
    }
  }

  /** Any thread. */
  private void released() {
    boolean tooMuch = pool.retainedBytes() + pool.outstandingBytes() > lendableBytes();
    if ((awaited || tooMuch) && wakeQueued.compareAndSet(false, true)) {
      engine.execute(this::serve);
    }
  }

  /**
   * Lends memory, or queues {@code claimant}.
   *
   * @return null if the claimant has to wait: {@link Claimant#onMemoryAvailable} signals when to retry
   * @throws IllegalStateException if the JVM has no memory, whatever the budget allows, and no lent memory can
   *     return
   */
  public PooledBuffer take(Claimant claimant, int bytes) {
    Claimant first = first();
    if (first != null && first != claimant) {
      await(claimant);
      return null;
    }
    // Set before the check, so that each later release wakes the engine.
    awaited = true;
    PooledBuffer taken;
    try {
      taken = fits(bytes) ? lend(bytes) : null;
    } catch (IllegalStateException e) {
      forget(claimant);
      throw e;
    }
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
      if (claimant.wouldRetry()) {
        return claimant;
      }
    }
    return null;
  }

  private boolean fits(int bytes) {
    long lent = pool.outstandingBytes();
    return lent == 0 || lent + pool.classBytes(bytes) <= lendableBytes();
  }

  /** Returns null while memory is prepared, or while all available memory is lent. */
  private PooledBuffer lend(int bytes) {
    if (!pool.mustAllocate(bytes)) {
      preparation = null;
      return pool.tryAcquire(bytes);
    }
    // Kept memory makes room for the request: if one message fits the budget, both together do.
    pool.trim(lendableBytes() - pool.classBytes(bytes));
    return bytes > CLEARED_ASIDE_BYTES ? lendPrepared(bytes) : allocate(bytes);
  }

  private PooledBuffer allocate(int bytes) {
    try {
      PooledBuffer allocated = tryAllocate(bytes);
      boolean again = allocated == null && engine.giveUpKept() > 0;
      return again ? pool.tryAcquire(bytes) : allocated;
    } catch (IllegalStateException e) {
      throw exhausted(bytes, e);
    }
  }

  private PooledBuffer tryAllocate(int bytes) {
    try {
      return pool.tryAcquire(bytes);
    } catch (IllegalStateException e) {
      if (engine.giveUpKept() == 0) {
        throw e;
      }
      return pool.tryAcquire(bytes);
    }
  }

  /**
   * Lends memory allocated on another thread, because a long allocation would block the engine. The first call starts
   * the allocation. The memory is available when {@link #serve} makes the claimant retry.
   */
  private PooledBuffer lendPrepared(int bytes) {
    Preparation done = preparation;
    if (done == null || done.bytes != bytes || done.offered) {
      return prepare(bytes, false) ? null : allocate(bytes);
    }
    if (done.failure != null) {
      preparation = null;
      throw exhausted(bytes, done.failure);
    }
    return null;
  }

  /**
   * Starts an allocation on another thread.
   *
   * @param again whether the engine already gave up all kept memory for the request
   * @return false if no thread is available
   */
  private boolean prepare(int bytes, boolean again) {
    Preparation begun = new Preparation(bytes, again, pool.outstandingBytes());
    preparation = begun;
    try {
      engine.aside(() -> begun.run(pool), () -> prepared(begun));
      return true;
    } catch (RuntimeException | Error e) {
      preparation = null;
      LOG.warn(
          "no thread is available to clear memory, so the engine thread clears it: {}",
          e.toString());
      return false;
    }
  }

  private void prepared(Preparation done) {
    if (preparation != done) {
      // The claimant no longer waits.
      serve();
    } else if (done.allocated) {
      done.offered = true;
      serve();
    } else if (!done.again && engine.giveUpKept() > 0) {
      if (!prepare(done.bytes, true)) {
        serve();
      }
    } else if (done.failure != null) {
      serve();
    } else {
      // All memory of the JVM is lent. The next release makes the claimant retry, unless a release
      // came meanwhile.
      preparation = null;
      if (pool.outstandingBytes() < done.lentBefore) {
        serve();
      }
    }
  }

  /**
   * An allocation on another thread and its result. That thread writes the result before the engine's task reads
   * it.
   */
  private static final class Preparation {
    private final int bytes;
    private final boolean again;
    private final long lentBefore;
    private boolean allocated;
    private IllegalStateException failure;
    /** The memory was offered to the claimant. If the memory is gone since, another claimant has received it. */
    private boolean offered;

    Preparation(int bytes, boolean again, long lentBefore) {
      this.bytes = bytes;
      this.again = again;
      this.lentBefore = lentBefore;
    }

    void run(BufferPool pool) {
      try {
        allocated = pool.prepare(bytes);
      } catch (IllegalStateException e) {
        failure = e;
      }
    }
  }

  private IllegalStateException exhausted(int bytes, IllegalStateException cause) {
    Throwable reason = cause.getCause() == null ? cause : cause.getCause();
    return new IllegalStateException(
        "node '" + engine.nodeName() + "' has no direct memory for a large message of " + bytes
            + " bytes: " + reason.getMessage() + "; raise -XX:MaxDirectMemorySize, or lower "
            + budget
            + " or the other use of direct memory in this JVM",
        reason);
  }

  private void await(Claimant claimant) {
    if (!waiting.contains(claimant)) {
      waiting.add(claimant);
    }
  }

  /** Removes a waiting claimant. */
  public void forget(Claimant claimant) {
    boolean wasFirst = first() == claimant;
    waiting.remove(claimant);
    preparation = wasFirst ? null : preparation;
    awaited = !waiting.isEmpty();
    if (wasFirst) {
      serve();
    }
  }

  /** Makes waiting claimants retry in order, until a claimant has to keep waiting. */
  public void serve() {
    wakeQueued.set(false);
    if (closed) {
      return;
    }
    Claimant first = first();
    while (first != null) {
      first.onMemoryAvailable();
      Claimant next = first();
      first = next == first ? null : next;
    }
    if (preparation == null) {
      pool.trim(lendableBytes());
    }
  }

  /**
   * Gives up memory kept for later loans, except the memory a claimant is about to fetch; returns the number of
   * bytes.
   */
  public long giveUpKept() {
    boolean awaitsFetching = preparation != null && preparation.allocated;
    long before = pool.retainedBytes();
    if (!awaitsFetching) {
      pool.trim(0);
    }
    return before - pool.retainedBytes();
  }

  /** Reserves a part of the budget for another use; a negative number returns it. Lent memory stays lent. */
  public void reserve(long bytes) {
    reservedBytes.addAndGet(bytes);
    if (bytes < 0) {
      released();
    }
  }

  /** Bytes that may be lent at once, except for one message beyond the budget. Any thread. */
  public long lendableBytes() {
    return Math.max(0, budget.bytes - reservedBytes.get());
  }

  /** Bytes lent. Any thread. */
  public long outstandingBytes() {
    return pool.outstandingBytes();
  }

  /** Bytes kept for later loans. Any thread. */
  public long retainedBytes() {
    return pool.retainedBytes();
  }

  public void close() {
    closed = true;
    waiting.clear();
    // No memory is registered any more.
    pool.onDrop(memory -> {});
    pool.close();
  }
}
