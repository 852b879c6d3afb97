package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A path in virtual time. Requests are queued on a link, and their completions return with a delay. */
@Tag("D12")
final class CongestionWindowTest {

  private static final long MILLIS = 1_000_000;
  private static final long SECONDS = 1_000 * MILLIS;
  private static final long WAIT = 50 * MILLIS;

  private static final class Link {

    private record Posted(int bytes, long doneNanos) {}

    private final ArrayDeque<Posted> underWay = new ArrayDeque<>();
    private long roundTripNanos;
    private long bytesASecond;
    private long now = 77 * SECONDS;
    private final CongestionWindow pace = new CongestionWindow(() -> now, WAIT);
    private long idleFromNanos = now;
    private long completed;
    private long longestWaitNanos;

    Link(long bytesASecond, long roundTripNanos) {
      this.bytesASecond = bytesASecond;
      this.roundTripNanos = roundTripNanos;
    }

    void post(int bytes) {
      idleFromNanos = Math.max(now, idleFromNanos) + bytes * SECONDS / bytesASecond;
      underWay.add(new Posted(bytes, idleFromNanos + roundTripNanos));
      pace.posted(bytes);
    }

    void step(long nanos) {
      now += nanos;
      while (!underWay.isEmpty() && underWay.peek().doneNanos - now <= 0) {
        completed += underWay.peek().bytes;
        pace.completed(underWay.poll().bytes);
      }
    }

    /** Sends as much as the window permits. Records the delay of a control frame. */
    void saturate(long nanos) {
      longestWaitNanos = 0;
      long end = now + nanos;
      while (now < end) {
        while (pace.hasRoom(0)) {
          post(pace.requestBytes(256 << 10));
        }
        longestWaitNanos = Math.max(longestWaitNanos, idleFromNanos - now);
        step(MILLIS / 2);
      }
    }
  }

  @Test
  void sendsLittleBeforeTheFirstMeasurement() {
    Link link = new Link(1 << 20, MILLIS);
    int posted = 0;
    while (link.pace.hasRoom(0)) {
      link.post(link.pace.requestBytes(256 << 10));
      posted++;
    }
    assertEquals(CongestionWindow.MIN_BYTES, posted * (CongestionWindow.MIN_BYTES / 4));
  }

  @Property(tries = 50)
  void fillsAnyPathWithoutDelayingControlFrames(
      @ForAll @IntRange(min = 3, max = 1_000) int megabytesASecond,
      @ForAll @IntRange(max = 100) int roundTripMillis) {
    Link link = new Link(megabytesASecond * 1_000_000L, roundTripMillis * MILLIS);
    link.saturate(5 * SECONDS);
    link.completed = 0;
    link.saturate(5 * SECONDS);
    long possible = megabytesASecond * 5_000_000L;
    assertTrue(link.completed > possible * 95 / 100, link.completed + " of " + possible);
    long little = 2 * CongestionWindow.MIN_BYTES * SECONDS / link.bytesASecond;
    assertTrue(
        link.longestWaitNanos < 2 * WAIT + little + roundTripMillis * MILLIS / 4,
        "waited " + link.longestWaitNanos);
  }

  @Test
  void doesNotMistakeItsQueueForALongerPath() {
    Link link = new Link(10_000_000, 5 * MILLIS);
    link.saturate(120 * SECONDS);
    link.saturate(SECONDS);
    assertTrue(link.longestWaitNanos < 2 * WAIT, "waited " + link.longestWaitNanos);
  }

  /** Completions since the burst must not be attributed to its first request. */
  @Test
  void doesNotMistakeBurstsForAFasterPath() {
    Link link = new Link(10_000_000, 5 * MILLIS);
    for (int i = 0; i < 20; i++) {
      for (int sent = 0; sent < 50; sent++) {
        link.post(16 << 10);
      }
      link.step(2 * MILLIS);
      for (int passed = 0; passed < 98; passed++) {
        link.step(MILLIS);
      }
    }
    link.saturate(2 * SECONDS);
    assertTrue(link.longestWaitNanos < 3 * WAIT, "waited " + link.longestWaitNanos);
  }

  /** Control frames are sent without regard to the window, so the path is rarely empty. */
  @Test
  void messagesContinueBesideManyControlFrames() {
    Link link = new Link(100_000_000, 100 * MILLIS);
    long sent = 0;
    for (int i = 0; i < 60_000; i++) {
      link.post(64);
      if (link.pace.hasRoom(0)) {
        link.post(1_000);
        sent++;
      }
      link.step(MILLIS);
    }
    assertTrue(sent > 59_000, sent + " of 60000");
  }

  @Test
  void followsADecreasingRate() {
    Link link = new Link(100_000_000, MILLIS);
    link.saturate(2 * SECONDS);
    link.bytesASecond = 5_000_000;
    link.saturate(2 * SECONDS);
    link.saturate(SECONDS);
    assertTrue(link.longestWaitNanos < 2 * WAIT, "waited " + link.longestWaitNanos);
  }

  @Test
  void followsAnIncreasingDelay() {
    Link link = new Link(10_000_000, MILLIS);
    link.saturate(2 * SECONDS);
    link.roundTripNanos = 400 * MILLIS;
    link.saturate(20 * SECONDS);
    link.completed = 0;
    link.saturate(5 * SECONDS);
    assertTrue(link.completed > 5 * 10_000_000 * 8L / 10, link.completed + " in 5 s");
  }

  @Test
  void doesNotMistakeLowDemandForASlowPath() {
    Link link = new Link(100_000_000, MILLIS);
    link.saturate(SECONDS);
    long cap = link.pace.capBytes();
    for (int i = 0; i < 1_000; i++) {
      link.post(100);
      link.step(10 * MILLIS);
    }
    assertTrue(link.pace.capBytes() >= cap, link.pace.capBytes() + " after " + cap);
  }

  @Test
  void countsBatchedBytesAsInFlight() {
    Link link = new Link(1 << 20, MILLIS);
    assertTrue(link.pace.hasRoom(CongestionWindow.MIN_BYTES - 1));
    assertFalse(link.pace.hasRoom(CongestionWindow.MIN_BYTES));
  }
}
