package io.railflux.samples.cli.netlab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Figures from the arrival times of messages. */
class TimelineTest {

  private static final long MILLIS = 1_000_000;
  private static final int SIZE_BYTES = 1_000;

  private final Timeline timeline = new Timeline(SIZE_BYTES);

  private void every(long millis, long from, long to) {
    for (long at = from; at < to; at += millis) {
      timeline.add(at * MILLIS);
    }
  }

  private Order.Pace pace(long from, long to, double bytesPerSecond) {
    return timeline.within(new Order.Span(from * MILLIS, to * MILLIS, bytesPerSecond));
  }

  @Test
  void rateCountsMessagesWithinTheSpan() {
    every(1, 0, 1_000);
    every(2, 1_000, 9_000);

    assertEquals(1e6, pace(100, 900, 0).bytesPerSecond(), 1);
    assertEquals(5e5, pace(1_000, 9_000, 0).bytesPerSecond(), 1);
  }

  @Test
  void longestGapIncludesTheEndsOfTheSpan() {
    every(10, 0, 1_000);
    every(10, 1_500, 2_000);

    assertEquals(510, pace(0, 2_000, 0).longestGapNanos() / MILLIS);
    assertEquals(300, pace(1_200, 2_000, 0).longestGapNanos() / MILLIS);
    assertEquals(1_010, pace(1_800, 3_000, 0).longestGapNanos() / MILLIS);
  }

  @Test
  void rateIsReachedAtTheFirstSecondThatCarriesIt() {
    every(1, 0, 100);
    every(10, 100, 1_500);
    every(1, 1_500, 5_000);

    assertEquals(0, pace(1_600, 5_000, 9e5).reachedNanos() / MILLIS - 1_600);
    assertEquals(1_400.0, (double) pace(200, 5_000, 9e5).reachedNanos() / MILLIS, 20);
  }

  @Test
  void reportsARateThatIsNeverReached() {
    every(10, 0, 5_000);

    assertEquals(-1, pace(0, 5_000, 9e5).reachedNanos());
  }
}
