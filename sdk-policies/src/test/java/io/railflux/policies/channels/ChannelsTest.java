package io.railflux.policies.channels;

import static io.railflux.policy.ChannelKind.DEDICATED_RING;
import static io.railflux.policy.ChannelKind.POOLED;
import static io.railflux.policy.ChannelKind.SHARED_RING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The policies with which the paper compares the adaptive one (T 4.1, 5). */
@Tag("CH7")
class ChannelsTest {

  private static FakeTraffic node(Supplier<ChannelPolicy> policy, int peers) {
    return new FakeTraffic(policy.get(), peers);
  }

  @Test
  void pooledOnlyNeverGivesARing() {
    FakeTraffic node = node(Channels.pooledOnly(), 2);
    assertEquals(List.of(POOLED, POOLED), node.tick(1_000_000, 1));
    assertEquals(0, node.switches());
  }

  @Test
  void onDemandTheFirstMessageGivesARingThatStays() {
    FakeTraffic shared = node(Channels.sharedOnDemand(), 2);
    assertEquals(List.of(POOLED, POOLED), shared.tick(0, 0));
    assertEquals(List.of(SHARED_RING, POOLED), shared.tick(1, 0));
    assertEquals(List.of(SHARED_RING, SHARED_RING), shared.tick(0, 1));

    FakeTraffic dedicated = node(Channels.dedicatedOnDemand(), 2);
    assertEquals(List.of(DEDICATED_RING, POOLED), dedicated.tick(1, 0));
    assertEquals(List.of(DEDICATED_RING, POOLED), dedicated.tick(0, 0));
  }

  @Test
  void theThresholdCountsTheMessagesOfAllTicks() {
    FakeTraffic node = node(Channels.threshold(100), 2);
    assertEquals(List.of(POOLED, POOLED), node.tick(100, 60));
    assertEquals(List.of(DEDICATED_RING, POOLED), node.tick(1, 40));
    assertEquals(List.of(DEDICATED_RING, DEDICATED_RING), node.tick(0, 1));
  }

  @Test
  void theThresholdOfAReusedNumberCountsAnew() {
    FakeTraffic node = node(Channels.threshold(100), 1);
    node.tick(100);
    node.leave(0);
    node.join();
    assertEquals(List.of(POOLED), node.tick(100));
    assertEquals(List.of(DEDICATED_RING), node.tick(1));
  }

  @Test
  void givesADedicatedRingToTheFirstPeersOnly() {
    FakeTraffic node = node(Channels.firstComeFirstServed(2), 4);
    assertEquals(List.of(POOLED, POOLED, POOLED, DEDICATED_RING), node.tick(0, 0, 0, 1));
    assertEquals(
        List.of(DEDICATED_RING, POOLED, POOLED, DEDICATED_RING), node.tick(1, 1_000, 1_000));
    assertEquals(List.of(DEDICATED_RING, POOLED, POOLED, DEDICATED_RING), node.tick(0, 1_000));
  }

  @Test
  void theRingOfAPeerThatLeftGoesToTheNextOneThatSends() {
    FakeTraffic node = node(Channels.firstComeFirstServed(1), 3);
    node.tick(1, 1, 0);
    node.leave(0);
    assertEquals(POOLED, node.tick(0, 0, 0).get(1));
    assertEquals(DEDICATED_RING, node.tick(0, 0, 1).get(2));
    assertEquals(POOLED, node.tick(0, 1, 0).get(1));
  }

  @Test
  void takesTheRingOfThePeerThatHasBeenSilentForTheLongestTime() {
    FakeTraffic node = node(Channels.leastRecentlyUsed(2), 3);
    assertEquals(List.of(DEDICATED_RING, POOLED, POOLED), node.tick(1, 0, 0));
    assertEquals(List.of(DEDICATED_RING, DEDICATED_RING, POOLED), node.tick(0, 1, 0));
    assertEquals(List.of(POOLED, DEDICATED_RING, DEDICATED_RING), node.tick(0, 0, 1));
    assertEquals(List.of(DEDICATED_RING, POOLED, DEDICATED_RING), node.tick(1, 0, 0));
  }

  @Test
  void theLastMessageDecidesAndNotTheNumberOrTheFirstOne() {
    FakeTraffic node = node(Channels.leastRecentlyUsed(2), 3);
    node.tick(1, 0, 0);
    node.tick(0, 1, 0);
    node.tick(1, 0, 0);
    assertEquals(List.of(DEDICATED_RING, POOLED, DEDICATED_RING), node.tick(0, 0, 1));
  }

  @Test
  void peersThatSendInTheSameTickDoNotTakeRingsFromEachOther() {
    FakeTraffic node = node(Channels.leastRecentlyUsed(2), 4);
    for (int i = 0; i < 100; i++) {
      assertEquals(List.of(DEDICATED_RING, DEDICATED_RING, POOLED, POOLED), node.tick(1, 1, 1, 1));
    }
    assertEquals(2, node.switches());
  }

  @Test
  void aPeerThatLeftDoesNotProtectTheNextOneOfItsNumber() {
    FakeTraffic node = node(Channels.leastRecentlyUsed(2), 3);
    node.tick(0, 1, 0);
    node.tick(1, 0, 0);
    node.leave(0);
    node.join();
    node.choose(0, DEDICATED_RING);
    assertEquals(List.of(POOLED, DEDICATED_RING, DEDICATED_RING), node.tick(0, 0, 1));
  }

  @Test
  void aRingThatTheNodeKeepsIsNotGivenTwice() {
    FakeTraffic node = node(Channels.leastRecentlyUsed(2), 4);
    node.tick(1, 0, 0, 0);
    node.tick(0, 1, 0, 0);
    node.keep(0);
    assertEquals(List.of(DEDICATED_RING, POOLED, DEDICATED_RING, POOLED), node.tick(0, 0, 1, 0));
    node.keep(2);
    assertEquals(List.of(DEDICATED_RING, POOLED, DEDICATED_RING, POOLED), node.tick(0, 0, 0, 1));
  }

  @Test
  void largeMessagesGiveADedicatedRing() {
    FakeTraffic node = node(Channels.byMessageSize(4_096), 2);
    assertEquals(List.of(POOLED, POOLED), node.tickOf(4_095, 1, 1_000_000));
    assertEquals(List.of(DEDICATED_RING, POOLED), node.tickOf(4_096, 1, 0));
  }

  @Test
  void aPeerReturnsToThePoolAfterTenTicksOfSmallMessages() {
    FakeTraffic node = node(Channels.byMessageSize(4_096), 1);
    node.tickOf(4_096, 1);
    for (int i = 0; i < 9; i++) {
      assertEquals(List.of(DEDICATED_RING), node.tickOf(64, 1));
      assertEquals(List.of(DEDICATED_RING), node.tick(0));
    }
    assertEquals(List.of(POOLED), node.tickOf(64, 1));
  }

  /** The engine gives a larger channel to a peer whose message does not fit. */
  @Test
  void aRingThatTheNodeGaveReturnsToThePoolToo() {
    FakeTraffic node = node(Channels.byMessageSize(4_096), 1);
    node.choose(0, SHARED_RING);
    for (int i = 0; i < 9; i++) {
      assertEquals(List.of(SHARED_RING), node.tickOf(64, 1));
    }
    assertEquals(List.of(POOLED), node.tickOf(64, 1));
  }

  /** Its channel would change at each message that does not fit, if small ticks without a ring counted. */
  @Test
  void ticksWithoutARingDoNotCount() {
    FakeTraffic node = node(Channels.byMessageSize(4_096), 1);
    for (int i = 0; i < 20; i++) {
      node.tickOf(64, 1);
    }
    node.choose(0, SHARED_RING);
    assertEquals(List.of(SHARED_RING), node.tickOf(64, 1));
  }

  @Test
  void aReusedNumberInheritsNoSmallTicks() {
    FakeTraffic node = node(Channels.byMessageSize(4_096), 1);
    node.choose(0, SHARED_RING);
    for (int i = 0; i < 9; i++) {
      node.tickOf(64, 1);
    }
    node.leave(0);
    node.join();
    node.choose(0, SHARED_RING);
    assertEquals(List.of(SHARED_RING), node.tickOf(64, 1));
  }

  @Test
  void aFlowThatAlternatesBetweenSizesKeepsItsRing() {
    FakeTraffic node = node(Channels.byMessageSize(4_096), 1);
    for (int i = 0; i < 100; i++) {
      node.tickOf(i % 2 == 0 ? 4_096 : 64, 1);
    }
    assertEquals(1, node.switches());
  }

  /** The fake node fails beyond its bound; changes of the traffic and of the peers are random. */
  @Test
  void everyPolicyRespectsTheBoundOfTheNode() {
    for (Supplier<ChannelPolicy> policy : all()) {
      Random random = new Random(6);
      FakeTraffic node = node(policy, 20).maxDedicated(3);
      for (int i = 0; i < 500; i++) {
        int peer = random.nextInt(node.peers());
        if (node.isPresent(peer)) {
          node.leave(peer);
        } else {
          node.join();
        }
        node.tickOf(random.nextInt(10_000), random.longs(20, 0, 10_000).toArray());
      }
    }
  }

  @Test
  void everyPolicyIsShownAsItIsMadeAndEachNodeHasItsOwn() {
    assertEquals(
        List.of(
            "adaptive(PAPER)",
            "pooledOnly()",
            "sharedOnDemand()",
            "dedicatedOnDemand()",
            "threshold(16)",
            "firstComeFirstServed(4)",
            "leastRecentlyUsed(4)",
            "byMessageSize(4096)"),
        all().stream().map(policy -> policy.get().toString()).toList());
    for (Supplier<ChannelPolicy> policy : all()) {
      assertNotSame(policy.get(), policy.get());
      assertEquals(ChannelKind.POOLED, policy.get().initial());
    }
  }

  /** A message that does not fit is no way around the policy. */
  @Test
  void noPeerGetsALargerKindThanThePolicyGives() {
    assertEquals(POOLED, Channels.pooledOnly().get().largest());
    assertEquals(SHARED_RING, Channels.sharedOnDemand().get().largest());
    assertEquals(DEDICATED_RING, Channels.threshold(16).get().largest());
    assertEquals(DEDICATED_RING, Channels.adaptive().get().largest());
  }

  private static List<Supplier<ChannelPolicy>> all() {
    return List.of(
        Channels.adaptive(),
        Channels.pooledOnly(),
        Channels.sharedOnDemand(),
        Channels.dedicatedOnDemand(),
        Channels.threshold(16),
        Channels.firstComeFirstServed(4),
        Channels.leastRecentlyUsed(4),
        Channels.byMessageSize(4_096));
  }

  @Test
  void invalidParametersAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> Channels.threshold(-1));
    assertThrows(IllegalArgumentException.class, () -> Channels.firstComeFirstServed(-1));
    assertThrows(IllegalArgumentException.class, () -> Channels.leastRecentlyUsed(-1));
    assertThrows(IllegalArgumentException.class, () -> Channels.byMessageSize(0));
  }
}
