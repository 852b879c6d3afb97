package io.railflux.policies.channels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.railflux.policies.channels.AdaptiveParameters.Limits;
import io.railflux.policies.channels.SlidingWindows.Channel;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a new mapping of channels replaces the current one (T 3.4). */
@Tag("CH5")
class SlidingWindowsTest {

  private static final int AVAILABLE = 26;
  private static final List<Channel> NONE = List.of(Channel.POOLED, Channel.POOLED, Channel.POOLED);

  private final SlidingWindows windows = new SlidingWindows(AdaptiveParameters.PAPER, 3);

  private List<Channel> tick(long... received) {
    return windows.tick(received, AVAILABLE);
  }

  @Test
  void theFirstUnitDecidesTheFirstMapping() {
    assertEquals(
        List.of(Channel.DEDICATED_RING, Channel.POOLED, Channel.DEDICATED_RING),
        tick(10_000, 0, 20_000));
  }

  @Test
  void silenceChangesNothing() {
    List<Channel> first = tick(10_000, 0, 0);
    for (int i = 0; i < 10; i++) {
      assertEquals(first, tick(0, 0, 0));
    }
  }

  @Test
  void steadyTrafficKeepsItsMapping() {
    List<Channel> first = tick(10_000, 10_000, 10_000);
    for (int i = 0; i < 100; i++) {
      assertSame(first, tick(10_000, 10_000, 10_000));
    }
  }

  @Test
  void aQuietPeerThatBeginsToTalkGetsARingWithinAUnit() {
    assertEquals(NONE, tick(1, 1, 1));
    assertEquals(Channel.DEDICATED_RING, tick(100_000, 1, 1).get(0));
  }

  /** The short window sees the change at once; the long one still contains the former traffic. */
  @Test
  void theShrunkWindowFollowsAChangeOfThePattern() {
    SlidingWindows one = new SlidingWindows(
        new AdaptiveParameters(
            AdaptiveParameters.PAPER.gains(),
            AdaptiveParameters.PAPER.setup(),
            new Limits(1, 1, 128, 2_048, 25_000)),
        2);
    for (int i = 0; i < 20; i++) {
      assertEquals(Channel.DEDICATED_RING, one.tick(new long[] {50_000, 10}, 1).get(0));
    }
    List<Channel> changed = one.tick(new long[] {10, 50_000}, 1);
    assertEquals(List.of(Channel.POOLED, Channel.DEDICATED_RING), changed);
  }

  @Test
  void aGainBelowTheThresholdChangesNothing() {
    SlidingWindows reluctant = new SlidingWindows(
        new AdaptiveParameters(
            AdaptiveParameters.PAPER.gains(),
            AdaptiveParameters.PAPER.setup(),
            new Limits(256, 26, 128, 2_048, 1_000_000)),
        3);
    assertEquals(NONE, reluctant.tick(new long[] {1, 1, 1}, AVAILABLE));
    assertEquals(NONE, reluctant.tick(new long[] {100_000, 1, 1}, AVAILABLE));
  }

  @Test
  void withoutEndpointsRingsAreShared() {
    assertEquals(
        Channel.SHARED_RING, windows.tick(new long[] {100_000, 0, 0}, 0).get(0));
  }

  @Test
  void theHistoryOfManyPeersIsThinned() {
    Limits limits = AdaptiveParameters.PAPER.limits();
    assertEquals(2_048, limits.historyEntries(1_024));
    assertEquals(512, limits.historyEntries(4_096));
    assertEquals(170, limits.historyEntries(65_536));
  }

  @Test
  void aWindowBeyondTheHistoryBeginsWithItsOldestTick() {
    TrafficHistory history = new TrafficHistory(1, 4);
    for (int i = 1; i <= 10; i++) {
      history.add(new long[] {i});
    }
    long[] sum = new long[1];
    history.since(9, sum);
    assertEquals(10, sum[0]);
    history.since(0, sum);
    assertEquals(8 + 9 + 10, sum[0]);
  }
}
