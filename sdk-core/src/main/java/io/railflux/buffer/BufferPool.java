package io.railflux.buffer;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct memory within a budget. Lent and cached memory together never exceed the budget, unless a caller uses {@link
 * #acquire}; the pool then caches nothing until the excess is returned. Loans have sizes in powers of two from 64
 * bytes up to the budget, and count with that size. Cached memory of other sizes makes room when needed; the
 * collector frees it, so the process may briefly hold more.
 *
 * <p>The engine thread takes loans; any thread releases them.
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
  // Keeps watched loans reachable; changes only when memory is allocated or dropped.
  private final Set<Slab> slabs = ConcurrentHashMap.newKeySet();
  private volatile Runnable releaseHook = () -> {};
  private volatile Consumer<BufferLeak> leakListener = BufferPool::log;
  private volatile Consumer<ByteBuffer> dropHook = memory -> {};
  private volatile boolean closed;
  private int loans;

  /**
   * Creates a pool that allocates on demand.
   *
   * @param name appears in errors and leak reports
   * @param budgetBytes largest amount of memory, at least 64
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

  /** Returns the name of the pool. */
  public String name() {
    return name;
  }

  /** Returns the budget in bytes. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Returns the largest possible loan in bytes: the budget, at most 2 GiB - 1. */
  public int largestBytes() {
    return (int) Math.min(budgetBytes, Integer.MAX_VALUE);
  }

  /**
   * Lends at least {@code lengthBytes} of memory. Engine thread.
   *
   * @return a loan that the caller must release, or null while the budget is exhausted; the hook of {@link
   *     #onRelease} signals the next attempt
   * @throws IllegalArgumentException if the length is negative or exceeds {@link #largestBytes()}
   * @throws IllegalStateException if the pool is closed
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
   * Like {@link #tryAcquire}, but exceeds an exhausted budget, for memory that was promised before.
   *
   * @throws IllegalStateException if the JVM has no memory either
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

  /** Whether a loan of that length requires an allocation for which there is room. Engine thread. */
  public boolean mustAllocate(int lengthBytes) {
    int sizeClass = sizeClass(lengthBytes);
    return !cached[sizeClass].hasNext() && makeRoom(bytes(sizeClass));
  }

  /** Returns the size in bytes that a loan of that length counts with. Any thread. */
  public int classBytes(int lengthBytes) {
    return bytes(sizeClass(lengthBytes));
  }

  /**
   * Allocates memory for the next loan of that length, so that {@link #tryAcquire} need not. Clearing memory, and
   * waiting for the collector at the limit of the JVM, take long. Any thread.
   *
   * @return whether memory was allocated; false without room in the budget, if the pool is closed, or at the limit of
   *     the JVM while there are loans to wait for
   * @throws IllegalStateException as {@link #tryAcquire}
   */
  public boolean prepare(int lengthBytes) {
    int sizeClass = sizeClass(lengthBytes);
    if (closed || allocatedBytes.get() + bytes(sizeClass) > budgetBytes) {
      return false;
    }
    Slab slab = allocate(sizeClass);
    if (slab != null) {
      cached[sizeClass].push(slab);
    }
    if (closed) {
      dropAll(cached[sizeClass].takePushed());
    }
    return slab != null;
  }

  /**
   * Drops cached memory until cached and lent memory are at most {@code bytes}, or no memory is cached. Engine
   * thread.
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

  /** Returns a snapshot of the cached memory in bytes. Any thread. */
  public long retainedBytes() {
    return Math.max(0, allocatedBytes.get() - outstandingBytes.get());
  }

  /** Returns a snapshot of the lent memory in bytes. Any thread. */
  public long outstandingBytes() {
    return outstandingBytes.get();
  }

  /** Returns a snapshot of the number of loans, including written-off ones. Any thread. */
  public int outstanding() {
    return outstanding.get();
  }

  /**
   * Sets a hook that runs after every release, on the releasing thread, and after a leak. It must be short and must
   * not throw; usually it wakes a waiting engine.
   */
  public void onRelease(Runnable hook) {
    releaseHook = Objects.requireNonNull(hook, "hook");
  }

  /** Sets the receiver of memory that the pool gives up, called on any thread. It must be short and must not throw. */
  public void onDrop(Consumer<ByteBuffer> hook) {
    dropHook = Objects.requireNonNull(hook, "hook");
  }

  /** Sets the receiver of leaks, called on a separate thread, in place of the log. */
  public void onLeak(Consumer<BufferLeak> listener) {
    leakListener = Objects.requireNonNull(listener, "listener");
  }

  /**
   * Drops the cached memory and refuses further loans. Engine thread; idempotent. Existing loans stay valid until
   * their release.
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
    LoanAccount account = slab.account;
    slab.account = null;
    outstanding.decrementAndGet();
    if (account != null && !account.settle(slab.bytes())) {
      slabs.remove(slab);
      dropHook.accept(slab.memory());
      return;
    }
    outstandingBytes.addAndGet(-slab.bytes());
    FreeList list = cached[slab.sizeClass()];
    list.push(slab);
    if (closed || allocatedBytes.get() > budgetBytes) {
      dropAll(list.takePushed());
    }
    returned(account);
  }

  /** A view may still refer to the memory, so the garbage collector frees it. */
  void reclaim(Slab slab, Throwable acquiredAt) {
    LoanAccount account = slab.account;
    outstanding.decrementAndGet();
    if (account != null && !account.settle(slab.bytes())) {
      slabs.remove(slab);
      dropHook.accept(slab.memory());
      return;
    }
    outstandingBytes.addAndGet(-slab.bytes());
    drop(slab);
    try {
      report(slab, account, acquiredAt);
    } finally {
      returned(account);
    }
  }

  private void report(Slab slab, LoanAccount account, Throwable acquiredAt) {
    String report = account == null ? null : account.leaked();
    if (account == null || report != null) {
      // A charged loan reports its borrower instead of its place of acquisition.
      Throwable place = account == null ? acquiredAt : null;
      leakListener.accept(new BufferLeak(name, slab.bytes(), place, report));
    }
  }

  /** The bytes of a loan were subtracted. */
  private void returned(LoanAccount account) {
    releaseHook.run();
    if (account != null) {
      account.returned();
    }
  }

  /** Leaves loans of so many bytes to their holders and the garbage collector. Any thread. */
  void writeOff(long bytes) {
    outstandingBytes.addAndGet(-bytes);
    allocatedBytes.addAndGet(-bytes);
    releaseHook.run();
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

  /** The limit of the JVM is reached, not the budget: waits for loans if there are any. */
  private Slab jvmExhausted(OutOfMemoryError e) {
    if (outstandingBytes.get() > 0) {
      return null;
    }
    throw new IllegalStateException(
        "pool '" + name + "': " + e.getMessage() + "; raise -XX:MaxDirectMemorySize", e);
  }

  /** Drops cached memory, largest sizes first, until {@code bytes} more fit into the budget. */
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
    dropHook.accept(slab.memory());
  }

  private static int sizeClass(int lengthBytes) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, lengthBytes) - 1);
    return Math.max(0, bits - SMALLEST_CLASS_BITS);
  }

  private static void log(BufferLeak leak) {
    LOG.warn(leak.describe(), leak.acquiredAt());
  }
}
