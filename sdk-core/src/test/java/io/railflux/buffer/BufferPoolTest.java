package io.railflux.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferPoolTest {

  @ParameterizedTest
  @CsvSource({"0,64", "1,64", "64,64", "65,128", "128,128", "129,256", "4097,8192", "8193,10000"})
  void loansCountWithTheirSizeClass(int lengthBytes, long countedBytes) {
    BufferPool pool = pool(10_000);
    PooledBuffer loan = pool.tryAcquire(lengthBytes);
    assertEquals(countedBytes, pool.outstandingBytes());
    assertEquals(1, pool.outstanding());
    assertEquals(0, loan.memory().position());
    assertEquals(lengthBytes, loan.memory().limit());
    assertTrue(loan.memory().isDirect());
    assertEquals(ByteOrder.LITTLE_ENDIAN, loan.memory().order());
  }

  @Test
  void releasedMemoryIsReusedInTheStateOfAFreshLoan() {
    BufferPool pool = pool(1024);
    PooledBuffer first = pool.tryAcquire(100);
    ByteBuffer memory = first.memory();
    memory.order(ByteOrder.BIG_ENDIAN).position(7).limit(50);
    first.release();
    assertEquals(128, pool.retainedBytes());

    PooledBuffer second = pool.tryAcquire(90);
    assertNotSame(first, second);
    assertSame(memory, second.memory());
    assertEquals(0, memory.position());
    assertEquals(90, memory.limit());
    assertEquals(ByteOrder.LITTLE_ENDIAN, memory.order());
    assertEquals(0, pool.retainedBytes());
  }

  @Test
  void exhaustedBudgetReturnsNullUntilARelease() {
    BufferPool pool = pool(256);
    PooledBuffer first = pool.tryAcquire(128);
    PooledBuffer second = pool.tryAcquire(128);
    assertNull(pool.tryAcquire(1));
    first.release();
    assertNotNull(pool.tryAcquire(128));
    assertNull(pool.tryAcquire(128));
    second.release();
  }

  @Test
  void evictsCachedMemoryOfOtherClasses() {
    BufferPool pool = pool(1024);
    PooledBuffer kept = pool.tryAcquire(64);
    PooledBuffer[] small = new PooledBuffer[7];
    for (int i = 0; i < small.length; i++) {
      small[i] = pool.tryAcquire(128);
    }
    assertNull(pool.tryAcquire(512));
    for (PooledBuffer loan : small) {
      loan.release();
    }
    assertEquals(896, pool.retainedBytes());

    assertNotNull(pool.tryAcquire(512));
    assertEquals(576, pool.outstandingBytes());
    assertEquals(384, pool.retainedBytes());
    kept.release();
  }

  @Test
  void preparedMemoryIsLentNextAndKeepsToTheBudget() {
    BufferPool pool = pool(1024);
    assertTrue(pool.mustAllocate(500));
    pool.prepare(500);
    assertEquals(512, pool.retainedBytes());
    assertFalse(pool.mustAllocate(500), "it is cached");
    pool.prepare(1000);
    assertEquals(512, pool.retainedBytes(), "beyond the budget nothing is prepared");

    PooledBuffer loan = pool.tryAcquire(500);
    assertEquals(0, pool.retainedBytes());
    assertFalse(pool.mustAllocate(1000), "the budget is exhausted");
    loan.release();
    assertTrue(pool.mustAllocate(1000), "the cache makes room");
    pool.close();
    pool.prepare(500);
    assertEquals(0, pool.retainedBytes());
  }

  @Test
  void wholeBudgetCanBeOneLoan() {
    BufferPool pool = pool(1000);
    assertEquals(1000, pool.largestBytes());
    PooledBuffer all = pool.tryAcquire(1000);
    assertEquals(1000, pool.outstandingBytes());
    assertNull(pool.tryAcquire(0));
    all.release();
    assertEquals(1000, pool.retainedBytes());
  }

  @Test
  void rejectsALoanBeyondTheBudget() {
    BufferPool pool = pool(1000);
    Exception refusal = assertThrows(IllegalArgumentException.class, () -> pool.tryAcquire(1001));
    assertEquals("pool 'test' cannot lend 1001 bytes, its budget is 1000", refusal.getMessage());
    assertThrows(IllegalArgumentException.class, () -> pool.tryAcquire(-1));
    assertThrows(
        IllegalArgumentException.class, () -> new BufferPool("tiny", 63, LeakDetection.OFF));
  }

  @Test
  void lendsPromisedMemoryBeyondTheBudgetWithoutCachingIt() {
    BufferPool pool = pool(128);
    PooledBuffer first = pool.acquire(128);
    PooledBuffer beyond = pool.acquire(100);
    assertEquals(256, pool.outstandingBytes());
    assertNull(pool.tryAcquire(1));

    beyond.release();
    assertEquals(0, pool.retainedBytes());
    first.release();
    assertEquals(128, pool.retainedBytes());
    pool.tryAcquire(128).release();
  }

  @Test
  void acceptsBudgetsBeyondTwoGibibytes() {
    BufferPool pool = pool(1L << 40);
    assertEquals(Integer.MAX_VALUE, pool.largestBytes());
    pool.tryAcquire(1 << 16).release();
    assertEquals(1 << 16, pool.retainedBytes());
  }

  @Test
  void secondReleaseIsRejectedWithoutSideEffects() {
    BufferPool pool = pool(1024);
    PooledBuffer loan = pool.tryAcquire(64);
    loan.release();
    PooledBuffer next = pool.tryAcquire(64);
    Exception misuse = assertThrows(IllegalStateException.class, loan::release);
    assertTrue(misuse.getMessage().contains("pool 'test' is released twice"));
    assertEquals(1, pool.outstanding());
    assertNotSame(next.memory(), pool.tryAcquire(64).memory());
  }

  @Test
  void rejectsAccessAfterRelease() {
    PooledBuffer loan = pool(1024).tryAcquire(64);
    loan.release();
    Exception misuse = assertThrows(IllegalStateException.class, loan::memory);
    assertTrue(misuse.getMessage().contains("pool 'test' is used after its release"));
  }

  @Test
  void hookRunsAfterTheReturnOfMemory() {
    BufferPool pool = pool(64);
    AtomicInteger lentDuringHook = new AtomicInteger(-1);
    pool.onRelease(() -> lentDuringHook.set(pool.outstanding()));
    pool.tryAcquire(10).release();
    assertEquals(0, lentDuringHook.get());
  }

  @Test
  void closedPoolLendsNothingAndKeepsNothing() {
    BufferPool pool = pool(1024);
    PooledBuffer late = pool.tryAcquire(64);
    pool.tryAcquire(64).release();
    pool.close();
    pool.close();
    assertEquals(0, pool.retainedBytes());
    assertThrows(IllegalStateException.class, () -> pool.tryAcquire(64));

    late.memory().putLong(0, 42);
    late.release();
    assertEquals(0, pool.outstanding());
    assertEquals(0, pool.retainedBytes());
  }

  private static BufferPool pool(long budgetBytes) {
    return new BufferPool("test", budgetBytes, LeakDetection.OFF);
  }
}
