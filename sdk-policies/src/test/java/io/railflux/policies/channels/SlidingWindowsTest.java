package io.railflux.policies.channels;

import static io.railflux.policy.ChannelKind.DEDICATED_RING;
import static io.railflux.policy.ChannelKind.POOLED;
import static io.railflux.policy.ChannelKind.SHARED_RING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.policies.channels.AdaptiveParameters.ChoiceLimits;
import io.railflux.policy.ChannelKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a new mapping of channels replaces the current one (T 3.4). */
@Tag("CH5")
class SlidingWindowsTest {

  private static final List<ChannelKind> NONE = List.of(POOLED, POOLED, POOLED);

  private final FakeTraffic node = node(AdaptiveParameters.PAPER, 3);

  private static FakeTraffic node(AdaptiveParameters parameters, int peers) {
    return new FakeTraffic(Channels.adaptive(parameters).get(), peers);
  }

  private static AdaptiveParameters with(ChoiceLimits limits) {
    return new AdaptiveParameters(
        AdaptiveParameters.PAPER.gains(), AdaptiveParameters.PAPER.setup(), limits);
  }

  /** One dedicated ring and no other. */
  private static AdaptiveParameters oneRing(int maxEndpoints) {
    return with(new ChoiceLimits(1, 1, maxEndpoints, 2_048, 25_000));
  }

  /** T1. */
  @Test
  void theFirstTickDecidesTheFirstMapping() {
    assertEquals(List.of(DEDICATED_RING, POOLED, DEDICATED_RING), node.tick(10_000, 0, 20_000));
  }

  @Test
  void silenceChangesNothing() {
    List<ChannelKind> first = node.tick(10_000, 0, 0);
    for (int i = 0; i < 10; i++) {
      assertEquals(first, node.tick(0, 0, 0));
    }
  }

  @Test
  void steadyTrafficKeepsItsMapping() {
    node.tick(10_000, 10_000, 10_000);
    for (int i = 0; i < 100; i++) {
      node.tick(10_000, 10_000, 10_000);
    }
    assertEquals(3, node.switches());
  }

  /** T2. */
  @Test
  void aQuietPeerThatBeginsToTalkGetsARingWithinATick() {
    assertEquals(NONE, node.tick(1, 1, 1));
    assertEquals(DEDICATED_RING, node.tick(100_000, 1, 1).get(0));
  }

  /** T2: no tick alone justifies the set-up, but all of them together do. */
  @Test
  void theExtendedWindowSeesTrafficThatIsTooThinForATick() {
    for (int i = 0; i < 10; i++) {
      node.tick(70, 0, 0);
    }
    assertEquals(List.of(DEDICATED_RING, POOLED, POOLED), node.kinds());
    assertEquals(1, node.switches());
  }

  /** T3: the short window sees the change at once; the long one still contains the former traffic. */
  @Test
  void theShrunkWindowFollowsAChangeOfThePattern() {
    FakeTraffic one = node(oneRing(128), 2);
    for (int i = 0; i < 20; i++) {
      assertEquals(DEDICATED_RING, one.tick(50_000, 10).get(0));
    }
    assertEquals(List.of(POOLED, DEDICATED_RING), one.tick(10, 50_000));
  }

  /** T4: the traffic before the chosen window no longer counts. */
  @Test
  void theExtendedWindowBeginsWithTheChosenOne() {
    FakeTraffic one = node(oneRing(128), 2);
    for (int i = 0; i < 20; i++) {
      one.tick(50_000, 0);
    }
    assertEquals(List.of(POOLED, DEDICATED_RING), one.tick(0, 50_000));
    assertEquals(List.of(POOLED, DEDICATED_RING), one.tick(0, 0));
  }

  /** T3: after a window of eight ticks the shrunk one has four, which decide for the new peer in its third tick. */
  @Test
  void theShrunkWindowHasHalfTheLengthOfTheCurrentOne() {
    FakeTraffic one = node(oneRing(128), 2);
    for (int i = 0; i < 7; i++) {
      assertEquals(POOLED, one.tick(14, 0).get(0));
    }
    assertEquals(DEDICATED_RING, one.tick(14, 0).get(0));
    one.tick(0, 45);
    assertEquals(POOLED, one.tick(0, 45).get(1));
    assertEquals(DEDICATED_RING, one.tick(0, 45).get(1));
  }

  /** T4. */
  @Test
  void aGainBelowTheThresholdChangesNothing() {
    FakeTraffic reluctant = node(with(new ChoiceLimits(256, 26, 128, 2_048, 1_000_000)), 3);
    assertEquals(NONE, reluctant.tick(1, 1, 1));
    assertEquals(NONE, reluctant.tick(100_000, 1, 1));
  }

  @Test
  void theGainPerMessageIsTold() {
    node.tick(1_000_000);
    // 150 ns, less 18.75 ns for credit, 5 ns for polling, and the share of the set-up.
    assertEquals(126.24, node.gainNanos(), 0.01);
  }

  /** Each ring delays the messages of the busiest peer by 5 ns (T A.1). */
  @Test
  void quietPeersLoseTheirRingsOncePollingThemCostsMore() {
    FakeTraffic busy = node(AdaptiveParameters.PAPER, 20);
    long[] equal = new long[20];
    Arrays.fill(equal, 1_000);
    busy.tick(equal);
    assertEquals(20, busy.dedicated());
    busy.tick(100_000);
    assertEquals(DEDICATED_RING, busy.kinds().get(0));
    assertEquals(19, Collections.frequency(busy.kinds(), POOLED));
  }

  /** Two flows compete for one ring; neither is busier for long. */
  @Test
  void equalFlowsDoNotTakeARingFromEachOther() {
    FakeTraffic one = node(oneRing(128), 2);
    Random random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      one.tick(10_000 + random.nextInt(500), 10_000 + random.nextInt(500));
    }
    assertEquals(1, one.switches());
  }

  @Test
  void theNodeLimitsTheDedicatedRings() {
    node.maxDedicated(1);
    assertEquals(List.of(SHARED_RING, DEDICATED_RING, POOLED), node.tick(90_000, 100_000, 0));
    node.maxDedicated(0);
    assertEquals(
        SHARED_RING,
        node(AdaptiveParameters.PAPER, 1).maxDedicated(0).tick(90_000).get(0));
  }

  /** The ring that the node keeps counts; of the others the busiest peer gets one. */
  @Test
  void ringsThatTheNodeKeepsCountAgainstTheLimit() {
    FakeTraffic two = node(with(new ChoiceLimits(3, 2, 128, 2_048, 25_000)), 4);
    two.choose(0, DEDICATED_RING);
    two.keep(0);
    assertEquals(
        List.of(DEDICATED_RING, SHARED_RING, DEDICATED_RING, SHARED_RING),
        two.tick(0, 90_000, 100_000, 80_000));
  }

  @Test
  void aPeerThatJoinsLaterGetsARing() {
    node.tick(100_000, 0, 0);
    for (int i = 0; i < 5; i++) {
      node.tick(100_000, 0, 0);
    }
    assertEquals(3, node.join());
    assertEquals(DEDICATED_RING, node.tick(100_000, 0, 0, 100_000).get(3));
  }

  @Test
  void aReusedNumberInheritsNoTraffic() {
    for (int i = 0; i < 10; i++) {
      node.tick(100_000, 100, 100);
    }
    node.leave(0);
    node.tick(0, 100, 100);
    assertEquals(0, node.join());
    for (int i = 0; i < 50; i++) {
      assertEquals(POOLED, node.tick(1, 100, 100).get(0));
    }
  }

  @Test
  void anAbsentPeerGetsNoChannel() {
    node.tick(100_000, 100_000, 0);
    node.leave(1);
    node.tick(100_000, 0, 0);
    assertEquals(Arrays.asList(DEDICATED_RING, null, POOLED), node.kinds());
  }

  @Test
  @Tag("CH6")
  void aRingThatIsGivenUpLeavesItsEndpointParked() {
    FakeTraffic one = node(oneRing(4), 2);
    one.tick(50_000, 0);
    one.tick(0, 50_000);
    assertEquals(List.of(POOLED, DEDICATED_RING), one.kinds());
    assertEquals(Set.of(0), one.parked());
  }

  @Test
  @Tag("CH6")
  void withoutRoomForAnotherEndpointTheRingIsShared() {
    FakeTraffic full = node(oneRing(2), 3);
    full.parked().addAll(Set.of(1, 2));
    assertEquals(List.of(SHARED_RING, POOLED, POOLED), full.tick(100_000));
  }

  /** 50 messages a tick gain less than a set-up, which a parked endpoint does not need. */
  @Test
  @Tag("CH6")
  void aParkedEndpointIsReusedWithoutSetup() {
    for (boolean isParked : new boolean[] {false, true}) {
      FakeTraffic fresh = node(AdaptiveParameters.PAPER, 1);
      if (isParked) {
        fresh.parked().add(0);
      }
      assertEquals(isParked ? DEDICATED_RING : POOLED, fresh.tick(50).get(0));
    }
  }

  @Test
  @Tag("CH6")
  void endpointsInUseAndParkedStayWithinTheirBoundWhileTrafficMoves() {
    ChoiceLimits limits = new ChoiceLimits(256, 4, 12, 64, 25_000);
    FakeTraffic moving = node(with(limits), 60);
    Random random = new Random(4);
    for (int i = 0; i < 500; i++) {
      long[] messages = new long[60];
      for (int hot = 0; hot < 6; hot++) {
        messages[random.nextInt(60)] = 100_000;
      }
      moving.tick(messages);
      assertTrue(moving.dedicated() <= limits.maxDedicated());
      assertTrue(moving.dedicated() + moving.parked().size() <= limits.maxEndpoints());
      assertEquals(limits.maxDedicated(), moving.dedicated());
    }
  }

  @Test
  void parametersAreShown() {
    assertEquals("adaptive(PAPER)", Channels.adaptive().get().toString());
    assertTrue(Channels.adaptive(oneRing(128)).get().toString().contains("maxDedicated=1"));
    assertEquals(Collections.nCopies(3, POOLED), node.kinds());
  }
}
