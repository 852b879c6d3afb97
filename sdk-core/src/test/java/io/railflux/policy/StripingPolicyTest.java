package io.railflux.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The policies of the core, which choose the rail of the next message. */
class StripingPolicyTest {

  private static final NumberedPaths[] PATHS =
      IntStream.rangeClosed(0, 16).mapToObj(NumberedPaths::new).toArray(NumberedPaths[]::new);

  private static final int MANY = 100_000;

  @Property
  void everyPolicyChoosesALiveRailWhileRailsComeAndGo(
      @ForAll @Size(max = 50) List<@IntRange(min = 1, max = 16) Integer> live,
      @ForAll @IntRange(max = 1 << 20) int lengthBytes) {
    for (StripingPolicy policy : List.of(StripingPolicy.binding(), StripingPolicy.roundRobin())) {
      for (int count : live) {
        int rail = next(policy, count, lengthBytes);
        assertTrue(rail >= 0 && rail < count, () -> rail + " of " + count);
      }
    }
  }

  @Property
  void bindingStaysWithTheFirstRail(
      @ForAll @IntRange(min = 1, max = 16) int live, @ForAll @IntRange(max = 1 << 20) int length) {
    assertEquals(0, next(StripingPolicy.binding(), live, length));
  }

  @Test
  void bindingReturnsToTheFirstRailAtAnyPosition() {
    StripingPolicy policy = StripingPolicy.binding();
    Paths reversed = new NumberedPaths(3) {
      @Override
      public int rail(int path) {
        return 2 - path;
      }
    };

    assertEquals(2, policy.next(reversed, 64, Marker.STREAM));
    assertEquals(1, policy.weight(reversed, 2));
    assertEquals(0, policy.weight(reversed, 0));
  }

  @Property
  void roundRobinUsesEveryRailOnceInEachRound(
      @ForAll @IntRange(min = 1, max = 16) int live,
      @ForAll @Size(max = 20) List<@IntRange(min = 1, max = 16) Integer> before,
      @ForAll @IntRange(min = 1, max = 5) int rounds) {
    StripingPolicy policy = StripingPolicy.roundRobin();
    before.forEach(count -> next(policy, count, 64));
    for (int round = 0; round < rounds; round++) {
      Set<Integer> used = new TreeSet<>();
      for (int i = 0; i < live; i++) {
        used.add(next(policy, live, 64));
      }
      assertEquals(live, used.size(), () -> "used " + used);
    }
  }

  @Property
  void roundRobinCountsMessagesNotBytes(
      @ForAll @Size(min = 1, max = 50) List<@IntRange(max = 1 << 20) Integer> lengths) {
    StripingPolicy mixed = StripingPolicy.roundRobin();
    StripingPolicy equal = StripingPolicy.roundRobin();
    lengths.forEach(length -> assertEquals(next(equal, 3, 64), next(mixed, 3, length)));
  }

  @Test
  void peersDoNotShareATurn() {
    StripingPolicy one = StripingPolicy.roundRobin();
    int[] alone = {next(one, 4, 64), next(one, 4, 64), next(one, 4, 64)};
    StripingPolicy other = StripingPolicy.roundRobin();
    StripingPolicy between = StripingPolicy.roundRobin();
    int[] mixed = new int[3];
    for (int i = 0; i < 3; i++) {
      mixed[i] = next(other, 4, 64);
      next(between, 4, 64);
    }

    assertEquals(Arrays.toString(alone), Arrays.toString(mixed));
  }

  @Test
  void choosingAllocatesNothing() {
    StripingPolicy policy = StripingPolicy.roundRobin();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    int sum = 0;
    for (int i = 0; i < MANY; i++) {
      sum += next(policy, 4, 64);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertEquals(MANY / 4 * 6, sum);
    assertTrue(allocated < MANY, () -> allocated + " B for " + MANY + " choices");
  }

  private static int next(StripingPolicy policy, int live, int lengthBytes) {
    return policy.next(PATHS[live], lengthBytes, Marker.STREAM);
  }

  /** Numbered paths, each on its own rail, without bytes in flight. */
  private static class NumberedPaths implements Paths {

    private final int count;

    NumberedPaths(int count) {
      this.count = count;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public int id(int path) {
      return path;
    }

    @Override
    public int rail(int path) {
      return path;
    }

    @Override
    public long pendingBytes(int path) {
      return 0;
    }

    @Override
    public long pendingLargeBytes(int path) {
      return 0;
    }
  }
}
