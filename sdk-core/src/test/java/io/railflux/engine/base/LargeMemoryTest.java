package io.railflux.engine.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.fakes.FakeEngineContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The byte budget for large messages (D6). */
class LargeMemoryTest {

  private static final int KIB = 1 << 10;

  private final FakeEngineContext engine = new FakeEngineContext();
  private final LargeMemory memory = memory(64 * KIB, 1 << 20);
  private final List<String> served = new ArrayList<>();

  private LargeMemory memory(long budgetBytes, int largestBytes) {
    return new LargeMemory(
        new LargeMemory.Budget("sendBudgetBytes", budgetBytes, largestBytes), engine);
  }

  /** Takes memory as soon as it is available. */
  private class Waiting implements LargeMemory.Claimant {
    private final String name;
    private final int bytes;
    private PooledBuffer got;

    Waiting(String name, int bytes) {
      this.name = name;
      this.bytes = bytes;
      onMemoryAvailable();
    }

    @Override
    public void onMemoryAvailable() {
      got = memory.take(this, bytes);
      if (got != null) {
        served.add(name);
      }
    }
  }

  private Waiting claim(String name, int bytes) {
    return new Waiting(name, bytes);
  }

  /** Releases on the engine thread. */
  private void release(Waiting holder) {
    holder.got.release();
    engine.runTasks();
  }

  /** Clearing a large amount of memory would block the engine thread. */
  @Test
  void largeMemoryIsAllocatedOnAnotherThread() {
    LargeMemory large = memory(64 << 20, 64 << 20);
    List<PooledBuffer> got = new ArrayList<>();
    LargeMemory.Claimant claimant = new LargeMemory.Claimant() {
      @Override
      public void onMemoryAvailable() {
        PooledBuffer taken = large.take(this, 32 << 20);
        if (taken != null) {
          got.add(taken);
        }
      }
    };
    claimant.onMemoryAvailable();
    assertEquals(List.of(), got);

    engine.runTasks();
    assertEquals(1, got.size());
    got.get(0).release();
    claimant.onMemoryAvailable();
    assertEquals(2, got.size(), "available memory is lent immediately");
    got.get(1).release();
    large.close();
  }

  /** A claimant that was notified of free memory may fetch it later. */
  @Test
  void memoryAllocatedBeyondTheBudgetIsKeptUntilItIsFetched() {
    LargeMemory large = memory(16 << 20, 64 << 20);
    int[] notified = new int[1];
    LargeMemory.Claimant claimant = () -> notified[0]++;
    assertNull(large.take(claimant, 32 << 20));

    engine.runTasks();
    assertEquals(1, notified[0]);
    assertEquals(32 << 20, large.retainedBytes());
    PooledBuffer taken = large.take(claimant, 32 << 20);
    assertNotNull(taken);
    taken.release();
    engine.runTasks();
    assertEquals(0, large.retainedBytes(), "beyond the budget nothing is kept");
    large.close();
  }

  /** The channel replays meanwhile. The message of another channel overtakes it and takes its place. */
  @Test
  void memoryEvictedForAnotherMessageIsAllocatedAgain() {
    LargeMemory large = memory(32 << 20, 32 << 20);
    boolean[] replays = new boolean[1];
    List<PooledBuffer> got = new ArrayList<>();
    LargeMemory.Claimant claimant = new LargeMemory.Claimant() {
      @Override
      public void onMemoryAvailable() {
        PooledBuffer taken = large.take(this, 32 << 20);
        if (taken != null) {
          got.add(taken);
        }
      }

      @Override
      public boolean wouldRetry() {
        return !replays[0];
      }
    };
    claimant.onMemoryAvailable();
    replays[0] = true;
    engine.runTasks();
    PooledBuffer other = large.take(() -> {}, 1 << 20);
    assertNotNull(other);
    replays[0] = false;
    other.release();
    engine.runTasks();

    assertEquals(1, got.size());
    got.get(0).release();
    large.close();
  }

  /** Together they would exceed the budget by more than one message. */
  @Test
  void keptMemoryIsEvictedForALargeMessage() {
    LargeMemory roomy = memory(64 * KIB, 64 << 20);
    PooledBuffer first = roomy.take(() -> {}, 32 * KIB);
    PooledBuffer second = roomy.take(() -> {}, 16 * KIB);
    first.release();
    second.release();
    assertEquals(48 * KIB, roomy.retainedBytes());
    PooledBuffer within = roomy.take(() -> {}, 64 * KIB);
    assertEquals(0, roomy.retainedBytes(), "the budget covers both");
    within.release();
    assertEquals(64 * KIB, roomy.retainedBytes());
    PooledBuffer beyond = roomy.take(() -> {}, 1 << 20);

    assertEquals(0, roomy.retainedBytes());
    beyond.release();
    roomy.close();
  }

  @Test
  void lendsTheBudgetAndNoMore() {
    Waiting first = claim("first", 32 * KIB);
    claim("second", 32 * KIB);
    Waiting third = claim("third", 1);

    assertEquals(List.of("first", "second"), served);
    assertNull(third.got);
    release(first);
    assertNotNull(third.got);
  }

  @Test
  void claimantsAreServedInOrder() {
    Waiting holder = claim("holder", 64 * KIB);
    claim("large", 64 * KIB);
    Waiting small = claim("small", 1);
    release(holder);

    assertEquals(List.of("holder", "large"), served);
    assertNull(small.got, "a small message overtook a large one by ");
  }

  @Test
  void messageBeyondTheBudgetProceedsAlone() {
    Waiting holder = claim("holder", 1);
    Waiting beyond = claim("beyond", 1 << 20);
    Waiting behind = claim("behind", 1);
    assertNull(beyond.got);
    release(holder);

    assertNotNull(beyond.got);
    assertNull(behind.got);
    release(beyond);
    assertNotNull(behind.got);
    assertEquals(64, memory.outstandingBytes());
  }

  @Test
  void cancelledClaimantDoesNotBlockOthers() {
    claim("holder", 32 * KIB);
    Waiting quitter = claim("quitter", 64 * KIB);
    Waiting behind = claim("behind", 32 * KIB);
    assertNull(behind.got);
    memory.forget(quitter);

    assertNotNull(behind.got);
  }

  @Test
  void inactiveClaimantIsOvertakenAndKeepsItsPlace() {
    Waiting all = claim("all", 64 * KIB);
    boolean[] wouldRetry = {false};
    Waiting held = new Waiting("held", 64 * KIB) {
      @Override
      public boolean wouldRetry() {
        return wouldRetry[0];
      }
    };
    Waiting behind = claim("behind", 64 * KIB);
    Waiting last = claim("last", 64 * KIB);

    release(all);
    assertNotNull(behind.got);
    wouldRetry[0] = true;
    release(behind);
    assertNotNull(held.got);
    release(held);
    assertNotNull(last.got);
    last.got.release();
    assertEquals(List.of("all", "behind", "held", "last"), served);
  }
}
