package io.railflux.engine.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TimersTest {

  private final Timers timers = new Timers();
  private final List<String> ran = new ArrayList<>();

  private Timers.Timer at(long due, String name) {
    return timers.at(due, () -> ran.add(name));
  }

  @Property(tries = 200)
  void runsByTimeThenByOrderOfCreation(
      @ForAll @Size(max = 60) List<@IntRange(max = 9) Integer> dues) {
    Timers many = new Timers();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < dues.size(); i++) {
      int number = i;
      many.at(dues.get(i), () -> order.add(number));
    }

    assertEquals(dues.size(), many.run(9));

    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < dues.size(); i++) {
      expected.add(i);
    }
    expected.sort(Comparator.comparing(dues::get));
    assertEquals(expected, order);
  }

  @Test
  void runsNothingEarlyAndNothingTwice() {
    at(10, "ten");

    assertEquals(0, timers.run(9));
    assertEquals(1, timers.run(10));
    assertEquals(0, timers.run(11));
    assertEquals(List.of("ten"), ran);
  }

  @Test
  void cancelledTimerNeitherRunsNorPreventsSleep() {
    Timers.Timer first = at(5, "first");
    at(20, "second");
    first.cancel();

    assertEquals(20, timers.untilNextNanos(0));
    assertEquals(1, timers.run(100));
    assertEquals(List.of("second"), ran);
    assertEquals(Long.MAX_VALUE, timers.untilNextNanos(100));
  }

  @Test
  void taskMayAddATimerThatIsDueImmediately() {
    timers.at(1, () -> at(1, "inner"));

    assertEquals(2, timers.run(1));
    assertEquals(List.of("inner"), ran);
  }

  @Test
  void taskMayCancelATimerThatIsDueTogetherWithIt() {
    Timers.Timer[] other = new Timers.Timer[1];
    timers.at(1, () -> other[0].cancel());
    other[0] = at(1, "cancelled");

    assertEquals(1, timers.run(1));
    assertEquals(List.of(), ran);
  }

  @Test
  void cancelledTimersDoNotAccumulate() {
    at(5, "stays");
    for (int i = 0; i < 10_000; i++) {
      at(1_000_000 + i, "cancelled").cancel();
    }

    assertTrue(timers.size() < 200, () -> timers.size() + " are retained");
    assertEquals(1, timers.run(2_000_000));
    assertEquals(List.of("stays"), ran);
  }

  @Test
  void completedTimersAreNotCountedAsCancelled() {
    for (int i = 0; i < 100; i++) {
      Timers.Timer timer = at(i, "ran");
      timers.run(i);
      timer.cancel();
      timer.cancel();
    }
    Timers.Timer last = at(1_000, "last");
    last.cancel();
    last.cancel();

    assertEquals(1, timers.size(), "scanned all timers for one");
    assertEquals(Long.MAX_VALUE, timers.untilNextNanos(0));
  }

  @Test
  void overdueTimerIsDueImmediately() {
    at(5, "late");

    assertEquals(0, timers.untilNextNanos(50));
  }

  @Test
  void clocksMayOverflow() {
    long now = Long.MAX_VALUE - 1;
    at(now + 10, "after the overflow");
    at(now, "before it");

    assertEquals(1, timers.run(now));
    assertEquals(10, timers.untilNextNanos(now));
    assertEquals(1, timers.run(now + 10));
    assertEquals(List.of("before it", "after the overflow"), ran);
  }
}
