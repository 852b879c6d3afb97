package io.railflux.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BufferPoolConcurrencyTest {

  private static final int LOANS = 60_000;
  private static final int BUDGET_BYTES = 16 * 1024;

  private record Lent(PooledBuffer buffer, byte mark) {
    static final Lent NO_MORE = new Lent(null, (byte) 0);

    static Lent of(PooledBuffer buffer, byte mark) {
      ByteBuffer memory = buffer.memory();
      for (int i = 0; i < memory.limit(); i++) {
        memory.put(i, mark);
      }
      return new Lent(buffer, mark);
    }

    void checkAndRelease() {
      ByteBuffer memory = buffer.memory();
      for (int i = 0; i < memory.limit(); i++) {
        assertEquals(mark, memory.get(i), "memory is lent to two holders");
      }
      buffer.release();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LeakDetection.class,
      names = {"OFF", "SAMPLED"})
  @Timeout(60)
  void neverLendsMemoryTwiceAtOnce(LeakDetection leakDetection) throws Exception {
    BufferPool pool = new BufferPool("busy", BUDGET_BYTES, leakDetection);
    AtomicLong releases = new AtomicLong();
    pool.onRelease(releases::incrementAndGet);
    BlockingQueue<Lent> lent = new ArrayBlockingQueue<>(256);
    ExecutorService holders = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> results = new ArrayList<>();
      results.add(holders.submit(() -> releaseAll(lent)));
      results.add(holders.submit(() -> releaseAll(lent)));
      lendAll(pool, lent);
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      holders.shutdownNow();
    }
    assertEquals(LOANS, releases.get());
    assertEquals(0, pool.outstanding());
    assertEquals(0, pool.outstandingBytes());
    assertTrue(pool.retainedBytes() <= BUDGET_BYTES);
  }

  @Test
  @Timeout(60)
  void onlyOneOfTwoRacingReleasesSucceeds() throws Exception {
    BufferPool pool = new BufferPool("race", BUDGET_BYTES, LeakDetection.OFF);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int round = 0; round < 500; round++) {
        PooledBuffer loan = pool.tryAcquire(64);
        AtomicInteger refused = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(2);
        Future<?> there = other.submit(() -> race(loan, start, refused));
        race(loan, start, refused);
        there.get();
        assertEquals(1, refused.get());
        assertEquals(64, pool.retainedBytes());
      }
    } finally {
      other.shutdownNow();
    }
  }

  @Property(tries = 200)
  void budgetHoldsForAnyOrderOfLoansAndReleases(
      @ForAll @Size(max = 100) int[] steps, @ForAll @IntRange(min = 64, max = 20_000) int budget) {
    BufferPool pool = new BufferPool("any", budget, LeakDetection.OFF);
    ArrayDeque<PooledBuffer> held = new ArrayDeque<>();
    for (int step : steps) {
      if (step % 3 == 0 && !held.isEmpty()) {
        held.poll().release();
      } else {
        PooledBuffer loan = pool.tryAcquire(Math.floorMod(step, budget + 1));
        if (loan != null) {
          held.add(loan);
        }
      }
      assertEquals(held.size(), pool.outstanding());
      assertTrue(pool.outstandingBytes() + pool.retainedBytes() <= budget);
    }
  }

  private static void lendAll(BufferPool pool, BlockingQueue<Lent> lent)
      throws InterruptedException {
    RandomGenerator random = RandomGenerator.of("SplittableRandom");
    for (int i = 0; i < LOANS; i++) {
      int length = random.nextInt(1000);
      PooledBuffer loan = pool.tryAcquire(length);
      while (loan == null) {
        LockSupport.parkNanos(1_000);
        loan = pool.tryAcquire(length);
      }
      lent.put(Lent.of(loan, (byte) i));
    }
    lent.put(Lent.NO_MORE);
    lent.put(Lent.NO_MORE);
  }

  private static Void releaseAll(BlockingQueue<Lent> lent) throws InterruptedException {
    for (Lent next = lent.take(); next.buffer() != null; next = lent.take()) {
      next.checkAndRelease();
    }
    return null;
  }

  private static Void race(PooledBuffer loan, CyclicBarrier start, AtomicInteger refused)
      throws Exception {
    start.await();
    try {
      loan.release();
    } catch (IllegalStateException e) {
      refused.incrementAndGet();
    }
    return null;
  }
}
