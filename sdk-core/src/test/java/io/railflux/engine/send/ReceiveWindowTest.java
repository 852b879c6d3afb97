package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.Wraps;
import io.railflux.engine.send.ReceiveWindow.Verdict;
import io.railflux.wire.ResumeInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReceiveWindowTest {

  private static final int SIZE = 128;

  @Provide
  Arbitrary<Long> firsts() {
    return Wraps.arbitrary();
  }

  /** A model: received numbers by distance from the first number. */
  private static final class Naive {

    private final Set<Long> arrived = new HashSet<>();
    private long expected;

    Verdict accept(long index) {
      if (index < expected || arrived.contains(index)) {
        return Verdict.DUPLICATE;
      }
      if (index - expected >= SIZE) {
        return Verdict.OUTSIDE;
      }
      arrived.add(index);
      if (index != expected) {
        return Verdict.AHEAD;
      }
      while (arrived.contains(expected)) {
        expected++;
      }
      return Verdict.NEXT;
    }

    int ahead() {
      return (int) arrived.stream().filter(index -> index > expected).count();
    }
  }

  @Property(tries = 500)
  void matchesASet(
      @ForAll("firsts") long first,
      @ForAll @Size(max = 400) List<@IntRange(min = -70, max = 150) Integer> distances) {
    ReceiveWindow window = new ReceiveWindow(SIZE, first);
    Naive naive = new Naive();
    for (int distance : distances) {
      long index = naive.expected + distance;

      assertEquals(naive.accept(index), window.accept(first + index));
      assertEquals(first + naive.expected, window.expected());
      assertEquals(naive.ahead(), window.ahead());
    }
  }

  @Property(tries = 200)
  void resumeListsReceivedNumbersExactly(
      @ForAll("firsts") long first,
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 127) Integer> distances) {
    ReceiveWindow window = new ReceiveWindow(SIZE, first);
    Naive naive = new Naive();
    for (int distance : distances) {
      long index = naive.expected + distance;
      naive.accept(index);
      window.accept(first + index);
    }

    ResumeInfo resume = window.resume(7, 3);

    assertEquals(7, resume.epoch());
    assertEquals(3, resume.subchannel());
    assertEquals(first + naive.expected, resume.expectedPsn());
    for (long index = naive.expected - 5; index < naive.expected + 2 * SIZE; index++) {
      boolean arrived = index < naive.expected || naive.arrived.contains(index);
      assertEquals(arrived, resume.hasReceived(first + index), "index " + index);
    }
  }

  @Test
  void resumeWithoutAGapHasNoSet() {
    ReceiveWindow window = new ReceiveWindow(SIZE, 5);
    window.accept(5);

    assertEquals(0, window.resume(1, 0).received().length);
  }

  static long[] allFirsts() {
    return Wraps.all();
  }

  @ParameterizedTest
  @MethodSource("allFirsts")
  void acceptsNumbersUpToTheEndOfTheWindow(long first) {
    ReceiveWindow window = new ReceiveWindow(SIZE, first);

    assertEquals(Verdict.OUTSIDE, window.accept(first + SIZE));
    assertEquals(Verdict.AHEAD, window.accept(first + SIZE - 1));
    assertEquals(Verdict.DUPLICATE, window.accept(first + SIZE - 1));
    assertEquals(Verdict.DUPLICATE, window.accept(first - 1));
  }

  @ParameterizedTest
  @MethodSource("allFirsts")
  void movesAtOnceIfFilledBackwards(long first) {
    ReceiveWindow window = new ReceiveWindow(SIZE, first);
    for (int i = SIZE - 1; i > 0; i--) {
      assertEquals(Verdict.AHEAD, window.accept(first + i));
    }

    assertEquals(Verdict.NEXT, window.accept(first));
    assertEquals(first + SIZE, window.expected());
    assertEquals(0, window.ahead());
  }
}
