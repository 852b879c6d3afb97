package io.railflux.buffer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeakDetectionTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<BufferLeak> leaks = new CopyOnWriteArrayList<>();

  @Test
  void reportsADroppedBufferWithItsOrigin() {
    BufferPool pool = pool(LeakDetection.ALL, 1024);
    forgetfulHolder(pool);
    awaitLeaks(1);

    BufferLeak leak = leaks.get(0);
    assertEquals("leaky", leak.pool());
    assertEquals(128, leak.bytes());
    assertTrue(
        Arrays.stream(leak.acquiredAt().getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("forgetfulHolder")),
        () -> Arrays.toString(leak.acquiredAt().getStackTrace()));
    assertEquals(
        "a buffer of 128 bytes from pool 'leaky' was dropped without release; "
            + "it was acquired at the place below",
        leak.describe());
  }

  @Test
  void leakedBytesReturnToTheBudgetAndRunTheHook() {
    BufferPool pool = pool(LeakDetection.ALL, 128);
    AtomicInteger hooks = new AtomicInteger();
    pool.onRelease(hooks::incrementAndGet);
    forgetfulHolder(pool);
    assertNull(pool.tryAcquire(1));
    awaitLeaks(1);
    await().atMost(LIMIT).until(() -> hooks.get() == 1);

    assertEquals(0, pool.outstanding());
    assertEquals(0, pool.outstandingBytes());
    assertNotNull(pool.tryAcquire(128));
  }

  @Test
  void memoryStillReferencedThroughItsViewIsNotLentAgain() {
    BufferPool pool = pool(LeakDetection.ALL, 128);
    ByteBuffer view = forgetfulHolder(pool);
    view.putLong(0, 42);
    awaitLeaks(1);
    PooledBuffer next = pool.tryAcquire(128);
    next.memory().putLong(0, 7);
    assertEquals(42, view.getLong(0));
  }

  @Test
  void samplingTracksAllBuffersAndRecordsFewOrigins() {
    BufferPool pool = pool(LeakDetection.SAMPLED, 1 << 20);
    for (int i = 0; i < 128; i++) {
      forgetfulHolder(pool);
    }
    awaitLeaks(128);
    assertEquals(2, leaks.stream().filter(leak -> leak.acquiredAt() != null).count());
    assertTrue(
        leaks.stream().anyMatch(leak -> leak.describe().contains("set leak detection to ALL")));
    assertEquals(0, pool.outstanding());
  }

  @Test
  void releasedBuffersAreNoLeaks() {
    BufferPool pool = pool(LeakDetection.ALL, 1024);
    pool.tryAcquire(64).release();
    forgetfulHolder(pool);
    awaitLeaks(1);
    assertEquals(1, leaks.size());
    assertEquals(64, pool.retainedBytes());
  }

  @Test
  void tracksNothingWhenOff() {
    BufferPool pool = pool(LeakDetection.OFF, 1024);
    WeakReference<PooledBuffer> dropped = new WeakReference<>(pool.tryAcquire(100));
    collectUntil(() -> dropped.get() == null);
    assertEquals(1, pool.outstanding());
    assertEquals(List.of(), leaks);
  }

  @Test
  void failingListenerDoesNotEndDetection() {
    BufferPool pool = pool(LeakDetection.ALL, 1024);
    pool.onLeak(leak -> {
      leaks.add(leak);
      throw new IllegalStateException("listener fails");
    });
    forgetfulHolder(pool);
    awaitLeaks(1);
    forgetfulHolder(pool);
    awaitLeaks(2);
    assertEquals(0, pool.outstanding());
  }

  private BufferPool pool(LeakDetection detection, long budgetBytes) {
    BufferPool pool = new BufferPool("leaky", budgetBytes, detection);
    pool.onLeak(leaks::add);
    return pool;
  }

  private static ByteBuffer forgetfulHolder(BufferPool pool) {
    return pool.tryAcquire(100).memory();
  }

  private void awaitLeaks(int count) {
    collectUntil(() -> leaks.size() >= count);
  }

  private static void collectUntil(Callable<Boolean> condition) {
    await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> {
      System.gc();
      return condition.call();
    });
  }
}
