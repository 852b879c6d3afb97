package io.railflux.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The policies of the core: which rail carries the next message. */
class StripingTest {

  private static final int MANY = 100_000;

  @Property
  void everyPolicyChoosesALiveRailWhileRailsComeAndGo(
      @ForAll @Size(max = 50) List<@IntRange(min = 1, max = 16) Integer> live,
      @ForAll @IntRange(max = 1 << 20) int lengthBytes) {
    for (Striping policy : List.of(Striping.binding(), Striping.roundRobin())) {
      for (int count : live) {
        int rail = policy.next(count, lengthBytes);
        assertTrue(rail >= 0 && rail < count, () -> rail + " of " + count);
      }
    }
  }

  @Property
  void bindingStaysWithTheFirstRail(
      @ForAll @IntRange(min = 1, max = 16) int live, @ForAll @IntRange(max = 1 << 20) int length) {
    assertEquals(0, Striping.binding().next(live, length));
  }

  @Property
  void roundRobinUsesEveryRailOnceInEachRound(
      @ForAll @IntRange(min = 1, max = 16) int live,
      @ForAll @Size(max = 20) List<@IntRange(min = 1, max = 16) Integer> before,
      @ForAll @IntRange(min = 1, max = 5) int rounds) {
    Striping policy = Striping.roundRobin();
    before.forEach(count -> policy.next(count, 64));
    for (int round = 0; round < rounds; round++) {
      Set<Integer> used = new TreeSet<>();
      for (int i = 0; i < live; i++) {
        used.add(policy.next(live, 64));
      }
      assertEquals(live, used.size(), () -> "used " + used);
    }
  }

  @Property
  void roundRobinCountsMessagesNotBytes(
      @ForAll @Size(min = 1, max = 50) List<@IntRange(max = 1 << 20) Integer> lengths) {
    Striping mixed = Striping.roundRobin();
    Striping equal = Striping.roundRobin();
    lengths.forEach(length -> assertEquals(equal.next(3, 64), mixed.next(3, length)));
  }

  @Test
  void peersDoNotShareATurn() {
    Striping one = Striping.roundRobin();
    int[] alone = {one.next(4, 64), one.next(4, 64), one.next(4, 64)};
    Striping other = Striping.roundRobin();
    Striping between = Striping.roundRobin();
    int[] mixed = new int[3];
    for (int i = 0; i < 3; i++) {
      mixed[i] = other.next(4, 64);
      between.next(4, 64);
    }

    assertEquals(Arrays.toString(alone), Arrays.toString(mixed));
  }

  @Test
  void choosingMakesNoGarbage() {
    Striping policy = Striping.roundRobin();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    int sum = 0;
    for (int i = 0; i < MANY; i++) {
      sum += policy.next(4, 64);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertEquals(MANY / 4 * 6, sum);
    assertTrue(allocated < MANY, () -> allocated + " B for " + MANY + " choices");
  }
}
