package io.railflux.buffer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoanAccountTest {

  private final List<BufferLeak> leaks = new CopyOnWriteArrayList<>();
  private final AtomicInteger returns = new AtomicInteger();
  private final BufferPool pool = pool();
  private final LoanAccount account =
      new LoanAccount("a thing was dropped", returns::incrementAndGet);

  private BufferPool pool() {
    BufferPool made = new BufferPool("lender", 256, LeakDetection.ALL);
    made.onLeak(leaks::add);
    return made;
  }

  private PooledBuffer charged() {
    PooledBuffer loan = pool.acquire(64);
    account.charge(loan);
    return loan;
  }

  @Test
  void releasedLoanIsLentAgain() {
    PooledBuffer loan = charged();
    assertTrue(account.isInUse());
    loan.release();

    assertFalse(account.isInUse());
    assertEquals(0, pool.outstandingBytes());
    assertEquals(64, pool.retainedBytes());
    assertEquals(1, returns.get());
  }

  @Test
  void writeOffReturnsAllBytesAtOnce() {
    PooledBuffer one = charged();
    PooledBuffer other = charged();
    PooledBuffer uncharged = pool.acquire(64);
    account.writeOff();
    account.writeOff();

    assertFalse(account.isInUse());
    assertEquals(64, pool.outstandingBytes());
    assertEquals(1, returns.get());
    uncharged.release();
    one.release();
    other.release();
    assertEquals(0, pool.outstandingBytes());
    assertEquals(0, pool.outstanding());
    assertEquals(64, pool.retainedBytes());
    assertEquals(1, returns.get());
  }

  @Test
  void writtenOffMemoryIsNeverLentAgain() {
    PooledBuffer loan = charged();
    ByteBuffer memory = loan.memory();
    account.writeOff();
    assertEquals(0, memory.get(0));
    loan.release();

    for (int i = 0; i < 4; i++) {
      PooledBuffer next = pool.tryAcquire(64);
      assertNotSame(memory, next.memory());
      next.memory().put(0, (byte) 1);
    }
    assertEquals(0, memory.get(0));
  }

  @Test
  void loanChargedAfterTheWriteOffIsWrittenOff() {
    account.writeOff();
    PooledBuffer late = charged();

    assertFalse(account.isInUse());
    assertEquals(0, pool.outstandingBytes());
    assertEquals(1, returns.get());
    late.release();
    assertEquals(0, pool.outstandingBytes());
  }

  @Test
  void dropAfterTheWriteOffIsNoLeak() {
    charged();
    account.writeOff();
    collectUntil(() -> pool.outstanding() == 0);

    assertEquals(List.of(), leaks);
    assertEquals(0, pool.outstandingBytes());
  }

  @Test
  void expectedDropsReturnTheirBytesWithoutAReport() {
    charged();
    account.expectDrops();
    collectUntil(() -> pool.outstandingBytes() == 0);
    await().until(() -> returns.get() == 1);

    assertEquals(List.of(), leaks);
    assertFalse(account.isInUse());
  }

  @Test
  void leaksAreReportedAtEveryPowerOfTwo() {
    for (int i = 1; i <= 5; i++) {
      charged();
      int dropped = i;
      collectUntil(() -> returns.get() == dropped);
    }

    assertEquals(
        List.of(
            "a thing was dropped; 64 bytes are back in pool 'lender'",
            "a thing was dropped (2 of them so far); 64 bytes are back in pool 'lender'",
            "a thing was dropped (4 of them so far); 64 bytes are back in pool 'lender'"),
        leaks.stream().map(BufferLeak::describe).toList());
  }

  private static void collectUntil(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20)).until(() -> {
      System.gc();
      return condition.call();
    });
  }
}
