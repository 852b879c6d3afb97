package io.railflux.buffer;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct memory within a budget. What is lent and what is cached for reuse together never exceed
 * the budget, unless a caller insists with {@link #acquire}; then nothing is cached until that is
 * paid back. Loans come in powers of two from 64 bytes on, the largest being the budget itself, and
 * a loan counts with the size of its class. Cached memory of other classes makes way when the budget
 * demands it; the collector frees it, so the process may hold more for a moment.
 *
 * <p>Loans are taken on the engine thread and released on any thread.
 */
public final class BufferPool implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BufferPool.class);
  private static final int SMALLEST_CLASS_BITS = 6;
  private static final int SAMPLE_EVERY = 64;

  private final String name;
  private final long budgetBytes;
  private final LeakDetection leakDetection;
  private final FreeList[] cached;
  private final AtomicLong allocatedBytes = new AtomicLong();
  private final AtomicLong outstandingBytes = new AtomicLong();
  private final AtomicInteger outstanding = new AtomicInteger();
  // Keeps alive the loans that are watched; changes only when memory is allocated or dropped.
  private final Set<Slab> slabs = ConcurrentHashMap.newKeySet();
  private volatile Runnable releaseHook = () -> {};
  private volatile Consumer<BufferLeak> leakListener = BufferPool::log;
  private volatile boolean closed;
  private int loans;

  /**
   * A pool that allocates nothing until asked.
   *
   * @param name appears in errors and leak reports
   * @param budgetBytes the most memory to hold at any time, at least 64
   */
  public BufferPool(String name, long budgetBytes, LeakDetection leakDetection) {
    if (budgetBytes < 1L << SMALLEST_CLASS_BITS) {
      throw new IllegalArgumentException(
          "pool '" + name + "': a budget of " + budgetBytes + " bytes is less than 64");
    }
    this.name = Objects.requireNonNull(name, "name");
    this.budgetBytes = budgetBytes;
    this.leakDetection = Objects.requireNonNull(leakDetection, "leakDetection");
    this.cached = new FreeList[sizeClass(largestBytes()) + 1];
    for (int i = 0; i < cached.length; i++) {
      cached[i] = new FreeList();
    }
  }

  /** The name given at construction. */
  public String name() {
    return name;
  }

  /** The most memory held at any time, in bytes. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /**
   * The largest loan that can ever be had, in bytes: the budget, or 2 GiB - 1 when that is less.
   */
  public int largestBytes() {
    return (int) Math.min(budgetBytes, Integer.MAX_VALUE);
  }

  /**
   * Lends at least {@code lengthBytes} of memory. Engine thread.
   *
   * @return a loan the caller must release, or null while the budget is exhausted; the hook given
   *     to {@link #onRelease} tells when to try again
   * @throws IllegalArgumentException when the length is negative or more than {@link
   *     #largestBytes()}, so that no waiting would help
   * @throws IllegalStateException when the pool is closed
   */
  public PooledBuffer tryAcquire(int lengthBytes) {
    if (lengthBytes < 0 || lengthBytes > budgetBytes) {
      throw new IllegalArgumentException("pool '" + name + "' cannot lend " + lengthBytes
          + " bytes, its budget is " + budgetBytes);
    }
    if (closed) {
      throw new IllegalStateException("pool '" + name + "' is closed");
    }
    int sizeClass = sizeClass(lengthBytes);
    Slab slab = cached[sizeClass].pop();
    if (slab == null && makeRoom(bytes(sizeClass))) {
      slab = allocate(sizeClass);
    }
    return slab == null ? null : lend(slab, lengthBytes);
  }

  /**
   * As {@link #tryAcquire}, beyond the budget when that is exhausted: for what was promised already.
   *
   * @throws IllegalStateException when the JVM has no memory to lend, too
   */
  public PooledBuffer acquire(int lengthBytes) {
    PooledBuffer within = tryAcquire(lengthBytes);
    if (within != null) {
      return within;
    }
    Slab slab = allocate(sizeClass(lengthBytes));
    if (slab == null) {
      throw new IllegalStateException(
          "pool '" + name + "': the JVM's own limit is reached; raise -XX:MaxDirectMemorySize");
    }
    return lend(slab, lengthBytes);
  }

  /**
   * Whether a loan of that length has to be allocated, for which there is room, or is made. Engine
   * thread.
   */
  public boolean mustAllocate(int lengthBytes) {
    int sizeClass = sizeClass(lengthBytes);
    return !cached[sizeClass].hasNext() && makeRoom(bytes(sizeClass));
  }

  /**
   * Allocates what the next loan of that length takes, so that {@link #tryAcquire} need not: to clear much
   * memory takes long. Any thread. Without room in the budget or in the JVM's limit nothing happens.
   */
  public void prepare(int lengthBytes) {
    int sizeClass = sizeClass(lengthBytes);
    if (closed || allocatedBytes.get() + bytes(sizeClass) > budgetBytes) {
      return;
    }
    try {
      Slab slab = allocate(sizeClass);
      if (slab != null) {
        cached[sizeClass].push(slab);
      }
    } catch (IllegalStateException e) {
      LOG.debug("not prepared, to be tried again when it is taken: {}", e.getMessage());
    }
    if (closed) {
      dropAll(cached[sizeClass].takePushed());
    }
  }

  /**
   * Drops cached memory until what is cached and lent is no more than {@code bytes}, or nothing is
   * cached. Engine thread.
   */
  public void trim(long bytes) {
    for (int i = cached.length - 1; i >= 0 && allocatedBytes.get() > bytes; i--) {
      Slab slab = cached[i].pop();
      while (slab != null) {
        drop(slab);
        slab = allocatedBytes.get() > bytes ? cached[i].pop() : null;
      }
    }
  }

  /** Memory cached for reuse, in bytes. A snapshot; any thread. */
  public long retainedBytes() {
    return Math.max(0, allocatedBytes.get() - outstandingBytes.get());
  }

  /** Memory lent, in bytes of its size classes. A snapshot; any thread. */
  public long outstandingBytes() {
    return outstandingBytes.get();
  }

  /** Number of loans. A snapshot; any thread. */
  public int outstanding() {
    return outstanding.get();
  }

  /**
   * Sets what runs after every release, on the thread that released, and after a leak was
   * reclaimed. It must be short and must not throw; usually it wakes the engine if that waits for
   * memory.
   */
  public void onRelease(Runnable hook) {
    releaseHook = Objects.requireNonNull(hook, "hook");
  }

  /** Sets who is told of leaks, on a thread of its own, instead of the log. */
  public void onLeak(Consumer<BufferLeak> listener) {
    leakListener = Objects.requireNonNull(listener, "listener");
  }

  /**
   * Drops the cached memory and refuses further loans. Engine thread; idempotent. Loans stay valid
   * until they are released, and their memory is dropped then.
   */
  @Override
  public void close() {
    closed = true;
    for (FreeList list : cached) {
      for (Slab slab = list.pop(); slab != null; slab = list.pop()) {
        drop(slab);
      }
    }
  }

  void giveBack(Slab slab) {
    Loan loan = slab.loan;
    if (loan != null) {
      slab.loan = null;
      loan.clear();
    }
    outstandingBytes.addAndGet(-slab.bytes());
    outstanding.decrementAndGet();
    FreeList list = cached[slab.sizeClass()];
    list.push(slab);
    if (closed || allocatedBytes.get() > budgetBytes) {
      dropAll(list.takePushed());
    }
    releaseHook.run();
  }

  /** Its memory may still be referenced by a view, so it is left to the garbage collector. */
  void reclaim(Slab slab, Throwable acquiredAt) {
    outstandingBytes.addAndGet(-slab.bytes());
    outstanding.decrementAndGet();
    drop(slab);
    try {
      leakListener.accept(new BufferLeak(name, slab.bytes(), acquiredAt));
    } finally {
      releaseHook.run();
    }
  }

  private PooledBuffer lend(Slab slab, int lengthBytes) {
    slab.prepare(lengthBytes);
    PooledBuffer buffer = new PooledBuffer(this, slab);
    if (leakDetection != LeakDetection.OFF) {
      slab.loan = new Loan(buffer, this, slab, acquiredAt());
    }
    outstandingBytes.addAndGet(slab.bytes());
    outstanding.incrementAndGet();
    return buffer;
  }

  private Throwable acquiredAt() {
    boolean wanted = leakDetection == LeakDetection.ALL || loans++ % SAMPLE_EVERY == 0;
    return wanted ? new Throwable("buffer acquired here from pool '" + name + "'") : null;
  }

  private int bytes(int sizeClass) {
    return (int) Math.min(1L << (sizeClass + SMALLEST_CLASS_BITS), largestBytes());
  }

  private Slab allocate(int sizeClass) {
    int bytes = bytes(sizeClass);
    Slab slab;
    try {
      slab = new Slab(bytes, sizeClass);
    } catch (OutOfMemoryError e) {
      return jvmExhausted(e);
    }
    allocatedBytes.addAndGet(bytes);
    if (leakDetection != LeakDetection.OFF) {
      slabs.add(slab);
    }
    return slab;
  }

  /**
   * The budget is not, but the JVM's own limit is: wait for loans, if there are any to wait for.
   */
  private Slab jvmExhausted(OutOfMemoryError e) {
    if (outstanding.get() > 0) {
      return null;
    }
    throw new IllegalStateException(
        "pool '" + name + "' cannot allocate within its budget of " + budgetBytes
            + " bytes; lower it or raise -XX:MaxDirectMemorySize",
        e);
  }

  /** Drops cached memory, the largest first, until {@code bytes} more fit into the budget. */
  private boolean makeRoom(int bytes) {
    for (int i = cached.length - 1; i >= 0; i--) {
      while (allocatedBytes.get() + bytes > budgetBytes) {
        Slab slab = cached[i].pop();
        if (slab == null) {
          break;
        }
        drop(slab);
      }
    }
    return allocatedBytes.get() + bytes <= budgetBytes;
  }

  private void dropAll(Slab first) {
    for (Slab slab = first; slab != null; slab = slab.next) {
      drop(slab);
    }
  }

  private void drop(Slab slab) {
    allocatedBytes.addAndGet(-slab.bytes());
    slabs.remove(slab);
  }

  private static int sizeClass(int lengthBytes) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, lengthBytes) - 1);
    return Math.max(0, bits - SMALLEST_CLASS_BITS);
  }

  private static void log(BufferLeak leak) {
    LOG.warn(leak.describe(), leak.acquiredAt());
  }
}
