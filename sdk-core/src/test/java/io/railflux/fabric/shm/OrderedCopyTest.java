package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.shm.memory.OrderedCopy;
import io.railflux.fabric.shm.memory.Words;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class OrderedCopyTest {

  private static final int SIZE = 1024 * 1024;

  @Property(tries = 500)
  void copiesAsAPlainCopyDoes(
      @ForAll @IntRange(max = 200) int fromOffset,
      @ForAll @IntRange(max = 200) int toOffset,
      @ForAll @IntRange(max = 1000) int length,
      @ForAll boolean heap) {
    assertCopies(heap ? ByteBuffer.allocate(2000) : direct(2000), fromOffset, toOffset, length);
  }

  @Test
  void copiesLongRanges() {
    for (int length : new int[] {4096, 256 * 1024, 256 * 1024 + 1, 300_001}) {
      assertCopies(direct(SIZE), 3, 5, length);
    }
  }

  /** A reader that polls the last word finds everything before it complete. */
  @Test
  void lastWordIsVisibleLast() throws Exception {
    int length = 1048;
    int rounds = 20_000;
    ByteBuffer shared = direct(4096);
    Thread writer = new Thread(() -> {
      ByteBuffer from = direct(4096);
      for (int round = 1; round <= rounds; round++) {
        for (int at = 0; at < length; at += 8) {
          from.putLong(at, round);
        }
        OrderedCopy.copy(from, 0, shared, 0, length);
        while ((long) Words.LONGS.getAcquire(shared, 2048) < round) {
          Thread.onSpinWait();
        }
      }
    });
    writer.start();
    for (int round = 1; round <= rounds; round++) {
      while ((long) Words.LONGS.getAcquire(shared, length - 8) < round) {
        Thread.onSpinWait();
      }
      for (int at = 0; at < length; at += 8) {
        assertEquals(round, shared.getLong(at), "at " + at);
      }
      Words.LONGS.setRelease(shared, 2048, (long) round);
    }
    writer.join();
  }

  private static void assertCopies(ByteBuffer from, int fromOffset, int toOffset, int length) {
    for (int i = 0; i < from.capacity(); i++) {
      from.put(i, (byte) (i * 7 + 1));
    }
    ByteBuffer actual = direct(from.capacity());
    ByteBuffer expected = direct(from.capacity());
    expected.put(toOffset, from, fromOffset, length);
    OrderedCopy.copy(from, fromOffset, actual, toOffset, length);
    assertEquals(expected, actual);
  }

  /** Aligned to a cache line, as mappings are. */
  private static ByteBuffer direct(int capacity) {
    return ByteBuffer.allocateDirect(capacity + 4096)
        .alignedSlice(64)
        .slice(0, capacity)
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
